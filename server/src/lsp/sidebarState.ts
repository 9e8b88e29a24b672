// Status of a session → what the sidebar and the status bar show.

import { basename } from 'node:path';
import type { NoticeState, PointsState, SidebarState } from '#protocol/state';
import { CATEGORIES, type Category, type Opportunity, type Points, type Proposal } from '../core/model.ts';
import type { Progress, Status } from '../core/session.ts';
import { pointsDelta } from './toProtocol.ts';

/** More than anybody scrolls through; the rest is in the Problems panel. */
const shownOpportunities = 200;
const shownCheckpoints = 50;

const labels: Readonly<Record<Category, string>> = { codeQuality: 'Code quality', testCoverage: 'Test coverage', safety: 'Safety', performance: 'Performance', maintainability: 'Maintainability' };

/** `opportunities`: best first. */
export function sidebarState(status: Status, progress: Progress | null, opportunities: readonly Opportunity[]): SidebarState {
  const { index } = status;
  return {
    rootName: basename(status.rootDir),
    trusted: status.trusted,
    activity: status.state,
    git: status.git && { branch: status.git.branch, head: status.git.head },
    index: index && {
      files: index.files,
      symbols: index.symbols,
      chunks: index.chunks,
      tokens: index.tokens,
      budgetTokens: index.budgetTokens,
      store: index.store,
      embedder: index.embedder,
      skipped: index.skipped.length,
      seconds: index.seconds,
    },
    progress: progress && { message: progress.message, done: progress.done, total: progress.total },
    memory: status.layers ? (['working', 'episodic', 'semantic', 'reserve'] as const).map((layer) => ({ layer, tokens: status.layers?.[layer].tokens ?? 0, budget: status.layers?.[layer].budget ?? 0 })) : [],
    points: status.points && pointsState(status.points),
    opportunityCount: opportunities.length,
    opportunities: opportunities.slice(0, shownOpportunities).map(({ id, rule, message, path, nameRange, severity, impact, recipe }) => ({ id, rule, message, path, line: nameRange.startLine, severity, impact, fixable: recipe !== null })),
    pending: status.pending.map((proposal) => ({ id: proposal.id, title: proposal.title, status: proposal.status, paths: pathsOf(proposal), pointsDelta: pointsDelta(proposal), reason: proposal.reason })),
    checkpoints: status.checkpoints.slice(0, shownCheckpoints).map(({ id, title, createdAt, files, rolledBackAt }) => ({ id, title, createdAt, paths: files.map(({ path }) => path), rolledBack: rolledBackAt !== null })),
    changesUsed: status.charter.changesUsed,
    changesAllowed: status.charter.changesAllowed,
    approval: status.charter.approval,
    notices: status.notices,
  };
}

/** For a window without a folder, or with one that could not be opened. */
export function emptySidebarState(rootName: string, trusted: boolean, notices: readonly NoticeState[]): SidebarState {
  return { rootName, trusted, activity: 'idle', git: null, index: null, progress: null, memory: [], points: null, opportunityCount: 0, opportunities: [], pending: [], checkpoints: [], changesUsed: 0, changesAllowed: 0, approval: '', notices };
}

function pointsState(points: Points): PointsState {
  return {
    total: points.total,
    max: points.max,
    rulerVersion: points.ruler.version,
    categories: CATEGORIES.map((name) => ({ name, label: labels[name], points: points.categories[name].points, max: points.categories[name].max })),
  };
}

function pathsOf(proposal: Proposal): readonly string[] {
  return proposal.edits.map(({ path }) => path);
}
