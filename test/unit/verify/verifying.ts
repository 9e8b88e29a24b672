// Verifies proposals on real repositories in real sandboxes, and checks each time that the user's repository is as it
// was.

import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect } from 'vitest';
import { listContent } from '../../../server/src/core/analysis/inventory.ts';
import { findDataProblems } from '../../../server/src/core/index/parse/dataSyntax.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import { isProse } from '../../../server/src/core/paths/nonSourcePaths.ts';
import { isJudge } from '../../../server/src/core/session/verify/judgeFiles.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { verifyProposal, type Verification } from '../../../server/src/core/verify/verify.ts';
import { systemClock } from '../../../server/src/adapters/system/system.ts';
import {
  CATEGORIES,
  type Category,
  type FileEdit,
  type Points,
  type Proposal,
} from '../../../server/src/core/model.ts';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import { fingerprint, never, sandboxOf, silentLog, type SandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import type { Sandbox } from '../../../server/src/core/ports/sandbox.ts';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import type { VerifyContext } from '../../../server/src/core/verify/context.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';

export type Overrides = Partial<Omit<VerifyContext, 'settings'>> & {
  readonly settings?: Partial<VerifyContext['settings']>;
};

export interface Verifying extends SandboxOf {
  /** `more`: of the proposal. */
  verify(
    edits: readonly FileEdit[],
    overrides?: Overrides,
    signal?: AbortSignal,
    more?: Partial<Proposal>,
  ): Promise<Verification>;
}

/** A repository with `files`; `tools` are packages of ours that it has installed. */
export async function verifying(
  files: Readonly<Record<string, string>>,
  tools: readonly ('typescript' | 'mocha')[] = [],
): Promise<Verifying> {
  const given = await sandboxOf({ '.gitignore': 'node_modules\n', ...files });
  for (const tool of tools) await install(given.repository.dir, tool);
  const baseline = createBaselineCache();
  return {
    ...given,
    [Symbol.asyncDispose]: given[Symbol.asyncDispose],
    async verify(edits, overrides = {}, signal = never, more = {}) {
      const before = await fingerprint(given.repository.dir);
      // As in a session, a tree is measured once.
      const tree = JSON.stringify(before);
      const known: Overrides = { baseline, treeKey: (edited) => `${tree}${JSON.stringify(edited)}` };
      try {
        return await verifyProposal(
          contextOf(given, { ...known, ...overrides }),
          { ...proposalOf(edits), ...more },
          signal,
        );
      } finally {
        expect(await fingerprint(given.repository.dir)).toEqual(before);
        expect(await readdir(join(given.stateDir, 'sandboxes'))).toEqual([]);
      }
    },
  };
}

/** The sandbox, and the lines that are run in it; questions about versions left out. */
export function watched(given: SandboxOf): { readonly sandbox: Sandbox; readonly lines: string[] } {
  const lines: string[] = [];
  const sandbox: Sandbox = {
    ...given.sandbox,
    async open(signal) {
      const worktree = await given.sandbox.open(signal);
      const run: typeof worktree.run = (request, runSignal) => {
        if (!request.command.includes('--version')) lines.push(request.command.join(' '));
        return worktree.run(request, runSignal);
      };
      return { ...worktree, run };
    },
  };
  return { sandbox, lines };
}

/** `gate outcome: reason` of each verdict. */
export function told(verification: Verification): string[] {
  return verification.verdicts.map(({ gate, outcome, reason }) => `${gate} ${outcome}: ${reason}`);
}

/** `gate outcome: reason` of one gate; undefined when it was not reached. */
export function toldBy(gate: GateName, verification: Verification): string | undefined {
  return told(verification).find((line) => line.startsWith(`${gate} `));
}

export function edit(path: string, before: string | null, after: string | null): FileEdit {
  return { path, before, after };
}

/** Points with these known categories; the others are unknown. */
export function pointsOf(known: Partial<Record<Category, number>>, hash = 'frozen'): Points {
  const categories = Object.fromEntries(
    CATEGORIES.map((category) => [category, { points: known[category] ?? null, max: 20, unknown: [] }]),
  ) as unknown as Points['categories'];
  const values = Object.values(known);
  return {
    ruler: { version: '1', hash },
    total: values.reduce((total, value) => total + value, 0),
    max: 20 * values.length,
    categories,
  };
}

/** Forgets at once. */
const noFlakyTests: VerifyContext['flakyTests'] = { known: async () => new Set(), add: async () => {} };

export function contextOf(given: Pick<SandboxOf, 'sandbox'>, { settings, ...overrides }: Overrides): VerifyContext {
  return {
    sandbox: given.sandbox,
    clock: systemClock,
    log: silentLog,
    trusted: true,
    checkCharter: async () => ({ allowed: true }),
    syntaxProblems: async (path, text, earlier) =>
      /\.[jt]sx?$/.test(path) ? parse(path, text) : isProse(path) ? [] : findDataProblems(path, text, earlier),
    score: async () => ({ before: pointsOf({ codeQuality: 10 }), after: pointsOf({ codeQuality: 11 }) }),
    isJudge,
    findUnreachedFiles: async () => [],
    inventory: async (path, text) =>
      listContent({ path, text, language: detectLanguage(path, text), generated: false }),
    baseline: createBaselineCache(),
    treeKey: () => null,
    reachingTests: async () => null,
    placesReached: async () => null,
    flakyTests: noFlakyTests,
    ...overrides,
    settings: {
      typesCommand: '',
      lintCommand: '',
      testCommand: '',
      benchCommand: '',
      timeoutSeconds: 120,
      ...settings,
    },
  };
}

function parse(path: string, text: string): { readonly code: string; readonly message: string }[] {
  const { diagnostics = [] } = ts.transpileModule(text, { fileName: path, reportDiagnostics: true });
  return diagnostics.map(({ messageText, start = 0 }) => ({
    code: '',
    message: `line ${text.slice(0, start).split('\n').length}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  }));
}

export function proposalOf(edits: readonly FileEdit[]): Proposal {
  return {
    id: 'p-1',
    title: 'A change',
    rationale: '',
    recipe: 'test',
    opportunity: { id: 'o-1', rule: 'test', path: '', symbol: null },
    base: null,
    edits,
    safety: 'behaviorPreserving',
    createdAt: 0,
    status: 'verifying',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
}

/** As a package manager does: a folder, and a link to the program. */
async function install(dir: string, tool: 'typescript' | 'mocha'): Promise<void> {
  const ours = join(import.meta.dirname, '..', '..', '..', 'node_modules', tool);
  const [name, file] = { typescript: ['tsc', 'bin/tsc'], mocha: ['mocha', 'bin/mocha.js'] }[tool] as [string, string];
  await mkdir(join(dir, 'node_modules', '.bin'), { recursive: true });
  await symlink(ours, join(dir, 'node_modules', tool));
  await symlink(`../${tool}/${file}`, join(dir, 'node_modules', '.bin', name));
}

/** Mutants, tried within two minutes; old and new are not compared. */
export const mutantsOnly: ProofContext = {
  settings: { guardSeconds: 120, guardMutants: 20, guardStrength: 80, differentialSeconds: 0 },
  harness: null,
  planDifferential: async () => {
    throw new Error('not asked for');
  },
  planMutants: async (edits, most) => planMutants(edits, most, isTestEdit),
  changesBehavior: () => false,
  checksImporters: () => false,
};
