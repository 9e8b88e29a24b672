// A small session for tests of only the language server. Each line with "poor" is an opportunity, and the only recipe
// replaces the word by "rich".

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dismissal, Opportunity, Proposal, SymbolInfo } from '../../server/src/core/model.ts';
import type { BaselineReport } from '../../server/src/core/session/analyse/analysisTypes.ts';
import type { ChangeProof } from '../../server/src/core/session/apply/keptChanges.ts';
import type {
  AnalysisReport,
  DoctorFinding,
  IndexReport,
  Opportunities,
  Session,
  SessionEvent,
} from '../../server/src/core/session.ts';
import { SelfwareError, throwIfCancelled } from '../../server/src/util/typedError.ts';
import type { Operation } from '../../server/src/core/operation.ts';
import type { TreeWriter } from '../../server/src/core/ports/files.ts';
import type { LedgerVerification } from '../../server/src/core/ports/ledger.ts';
import { createMemoryChanges } from './memoryChanges.ts';
import { createPossibleWork, findOpportunities, createPoints } from './memoryFindings.ts';
import { createMemoryLearning } from './memoryLearning.ts';
import { asksNobody, rejectBroughtEdits } from './memoryRefusals.ts';
import { createMemoryTexts } from './memoryTexts.ts';

/** The repository of the session, and functions by which a test observes or delays it. */
export interface MemorySessionOptions {
  readonly rootDir: string;
  readonly trusted: boolean;
  readonly writer: TreeWriter;
  /** Called once in each verification, which waits for it. */
  readonly onVerify?: (signal: AbortSignal) => Promise<void>;
  /** Called by each analysis while typing, with its text; the analysis waits for it. */
  readonly onGlance?: (text: string) => Promise<void> | void;
  /** Replaces the opportunities that an analysis while typing finds. */
  readonly glanceFinds?: (path: string, text: string) => readonly Opportunity[];
  readonly changedPaths?: () => readonly string[];
  /** Returns the findings of a check of the set-up, which waits for it. */
  readonly findings?: (signal: AbortSignal) => Promise<readonly DoctorFinding[]>;
  readonly verification?: LedgerVerification;
  /** The result when the gates of a change run again. */
  readonly proof?: Partial<ChangeProof>;
  /** Called with an action on the baseline; returns the report of it. */
  readonly onBaseline?: (action: string, isForced: boolean) => BaselineReport | null;
  /** Returns an error that every analysis of a text throws, to test how the server survives it; null for none. */
  readonly fault?: () => Error | null;
}

/** The session. */
export interface MemorySession extends Session {
  /** Names of calls of the session so far, some with their arguments. */
  readonly calls: readonly string[];
  /** Sends an event to all subscribers, as the session itself does. */
  emit(event: SessionEvent): void;
}

/** Creates the session. It implements only what the tests of the language server need. */
export function createMemorySession(options: MemorySessionOptions): MemorySession {
  const { rootDir, trusted } = options;
  const listeners = new Set<(event: SessionEvent) => void>();
  const calls: string[] = [];
  let texts = new Map<string, string>();
  let proposals: Proposal[] = [];
  let report: IndexReport | null = null;
  let isStopped = false;
  const dismissed = new Map<string, Dismissal>();
  const emit = (event: SessionEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const mustTrust = (): void => {
    if (!trusted) throw new SelfwareError('untrusted', 'This workspace is not trusted.');
  };
  const refuse = async (): Promise<never> => {
    throw new SelfwareError('unavailable', 'Nothing is installed here.');
  };
  const findAllOpportunities = (): Opportunity[] => [...texts].flatMap(([path, text]) => findOpportunities(path, text));
  const replace = (next: Proposal): Proposal => {
    proposals = [...proposals.filter(({ id }) => id !== next.id), next];
    emit({ type: 'status' });
    return next;
  };
  const findProposal = (id: string): Proposal => {
    const proposalFound = proposals.find((proposal) => proposal.id === id);
    if (!proposalFound) throw new SelfwareError('notFound', `There is no proposal ${id}.`);
    return proposalFound;
  };

  async function index(operation: Operation): Promise<IndexReport> {
    calls.push('index');
    texts = new Map();
    for (const entry of await readdir(rootDir, { recursive: true, withFileTypes: true })) {
      throwIfCancelled(operation.signal);
      if (!entry.isFile() || !/\.(ts|py)$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      texts.set(path.slice(rootDir.length + 1), await readFile(path, 'utf8'));
      operation.report?.({ stage: 'reading', done: texts.size, total: null, message: 'reading' });
    }
    report = {
      files: texts.size,
      symbols: 0,
      chunks: 0,
      tokens: 0,
      budgetTokens: 1,
      borrowedTokens: 0,
      embedded: 0,
      reused: 0,
      skipped: [],
      seconds: 0,
      searchableSeconds: 0,
      peakRssMb: 0,
      treeHash: null,
      store: 'lexical',
      embedder: 'none',
      notices: [],
    };
    calls.push('indexed');
    return report;
  }

  const changes = createMemoryChanges({ options, mustTrust, existing: findProposal, replace, index });

  async function analyse({ signal }: Operation): Promise<AnalysisReport> {
    throwIfCancelled(signal);
    calls.push('analysed');
    emit({ type: 'opportunities', paths: null });
    return {
      files: texts.size,
      analysed: texts.size,
      reused: 0,
      skipped: [],
      seconds: 0,
      peakRssMb: 0,
      treeHash: null,
    };
  }

  const opportunities: Opportunities = {
    listTurnedDown: async () => new Map(),
    listWithHidden: async (paths) => ({
      shown: findAllOpportunities().filter(({ id, path }) => !dismissed.has(id) && (!paths || paths.includes(path))),
      hidden: findAllOpportunities()
        .filter(({ id }) => dismissed.has(id))
        .map((opportunity) => ({
          opportunity,
          by: 'dismissed',
          reason: dismissed.get(opportunity.id)?.reason ?? null,
        })),
    }),
    explainRanks: async (opportunities) =>
      opportunities.map(({ impact }) => ({
        priority: impact,
        factors: [{ name: 'impact', value: impact, because: 'all that counts here' }],
        sentence: `Priority ${impact} = impact ${impact}.`,
      })),
    async dismiss({ opportunity, kind, reason, rule = null, path = null }) {
      const dismissal: Dismissal = { opportunity, kind, reason, rule, path, at: dismissed.size, until: null };
      dismissed.set(opportunity, dismissal);
      emit({ type: 'opportunities', paths: path === null ? null : [path] });
      return dismissal;
    },
    async undismiss(opportunity) {
      dismissed.delete(opportunity);
      emit({ type: 'opportunities', paths: null });
    },
    dismissals: async () => [...dismissed.values()],
    baseline: async (action, more) => {
      if (!options.onBaseline) throw new SelfwareError('unavailable', 'No baseline here.');
      return options.onBaseline(action, more?.force ?? false);
    },
    shown: async (paths) =>
      findAllOpportunities().filter(({ id, path }) => !dismissed.has(id) && (!paths || paths.includes(path))),
  };

  return {
    calls,
    emit,
    async open() {
      calls.push('open');
      return [];
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    improve: async () => {
      throw new SelfwareError('unavailable', 'Not here.');
    },
    async status() {
      const state = isStopped ? 'stopped' : 'idle';
      return {
        rootDir,
        state,
        trusted,
        git: null,
        index: report,
        layers: null,
        points: createPoints(findAllOpportunities().length),
        opportunities: {},
        doable: createPossibleWork(findAllOpportunities(), texts.size),
        pending: proposals.filter(({ status }) => status === 'verified').toReversed(),
        checkpoints: await changes.checkpoints(),
        charter: { approval: 'strict', changesUsed: 0, changesAllowed: 10, stopped: isStopped },
        notices: [],
      };
    },
    async stop() {
      isStopped = true;
      emit({ type: 'status' });
    },
    async resume() {
      isStopped = false;
      emit({ type: 'status' });
    },
    doctor: async (signal) => (await options.findings?.(signal)) ?? [],
    async close() {
      calls.push('close');
      listeners.clear();
    },
    memory: {
      index,
      update: (_paths, operation) => index(operation),
      search: async (query, top) =>
        [...texts.keys()]
          .filter((path) => path.includes(query))
          .slice(0, top)
          .map((path) => ({ path, startLine: 1, endLine: 2, symbol: null, score: 1, resolution: 'body' })),
      references: async () => [],
      searchReferences: async () => [],
      compact: async () => void calls.push('compact'),
      symbols: async (query, limit) => {
        const range = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 4 };
        const matchingPaths = [...texts.keys()].filter((path) => path.includes(query)).slice(0, limit);
        return matchingPaths.map((path) => ({
          path,
          symbol: {
            name: query,
            path: `Scope.${query}`,
            kind: 'function',
            range,
            nameRange: range,
            exported: true,
          } satisfies SymbolInfo,
        }));
      },
      graph: async () => ({ question: 'cycles', cycles: [] }),
      text: async (path) => texts.get(path) ?? null,
      model: async () => {
        throw new SelfwareError('unavailable', 'No memory here.');
      },
    },
    setup: {
      plan: refuse,
      run: refuse,
      state: async () => ({ outcome: 'none', detail: 'not set up yet', action: null, record: null }),
    },
    dependencies: { plan: refuse, consent: refuse, outdated: refuse, draft: refuse, check: refuse },
    analysis: {
      analyse,
      lint: async () => ({ opportunities: [], linters: [], looked: 0, trouble: [] }),
      unguarded: async () => ({ ...NONE_LOOKED_AT, mutants: 0, survivors: 0, tried: [] }),
      counterexamples: async () => ({ ...NONE_LOOKED_AT, finds: [], inputs: 0 }),
      examples: async () => ({ wrong: [], unclear: [], documents: 0, checks: 0 }),
      async findByRules(rules, operation) {
        await analyse(operation);
        const isAsked = ({ rule }: { readonly rule: string }) => rules.some((id) => id === rule);
        const { shown, hidden } = await opportunities.listWithHidden();
        return {
          shown: shown.filter(isAsked),
          hidden: hidden.filter(({ opportunity }) => isAsked(opportunity)),
          explain: (rankedOpportunities) => opportunities.explainRanks(rankedOpportunities),
        };
      },
      hot: async ({ of }) => ({ of, command: '', failed: false, millis: 0, found: [] }),
      coverage: async () => ({
        ...{ command: '', by: '', millis: 0, passed: null, failed: null, known: false },
        ...{ covered: null, coverable: null, explanation: '', files: [] },
      }),
      changedPaths: async () => options.changedPaths?.() ?? [],
      metrics: async () => [],
      score: async () => createPoints(findAllOpportunities().length),
    },
    tasks: {
      context: async () => {
        throw new SelfwareError('unavailable', 'No memory here.');
      },
      lookAt: (path) => void calls.push(`recordFocus ${path}`),
      remember: async ({ text, tier }) => void calls.push(`remember ${tier} ${text}`),
      render: async () => '',
    },
    recipes: {
      learn: async () => ({ recipes: [], rejected: [], commits: 0, files: 0, edits: 0, usage: null }),
      accepted: async () => [],
      file: async () => ({ proposal: null, leftOut: [] }),
      alone: (work) => work(),
      find: () => Promise.reject(new SelfwareError('notFound', 'Nothing was learned here.')),
      accept: () => Promise.reject(new SelfwareError('notFound', 'Nothing was learned here.')),
      forget: () => Promise.reject(new SelfwareError('notFound', 'Nothing was learned here.')),
    },
    opportunities,
    texts: createMemoryTexts({ options, calls, dismissed, mustTrust }),
    proposals: {
      proposeEdits: rejectBroughtEdits,
      proposeTransform: rejectBroughtEdits,
      deferredAsBusy: async () => [],
      cost: async () => null,
      shownCode: async () => null,
      async propose({ opportunity: id, fixesOf }) {
        mustTrust();
        // There is only one recipe, so no fixes of a file are proposed together.
        if (fixesOf !== undefined) return { proposal: null, tried: [], passedOver: [] };
        const opportunity = findAllOpportunities().find((candidate) => id === undefined || candidate.id === id);
        if (!opportunity && id !== undefined)
          throw new SelfwareError('notFound', `The opportunity ${id} no longer exists.`);
        if (!opportunity) return { proposal: null, tried: [], passedOver: [] };
        const before = texts.get(opportunity.path) ?? '';
        const after = before
          .split('\n')
          .map((line, at) => (at + 1 === opportunity.range.startLine ? line.replace('poor', 'rich') : line))
          .join('\n');
        const proposal: Proposal = {
          id: `p-${proposals.length + 1}`,
          title: `Enrich ${opportunity.path}`,
          rationale: 'Rich is better.',
          recipe: 'enrich',
          opportunity,
          base: null,
          edits: [{ path: opportunity.path, before, after }],
          safety: 'additive',
          createdAt: proposals.length,
          status: 'proposed',
          verdicts: [],
          pointsBefore: null,
          pointsAfter: null,
          reason: null,
          checkpoint: null,
        };
        return { proposal: replace(proposal), tried: [], passedOver: [] };
      },
      all: async () => proposals,
      get: async (id) => findProposal(id),
      decide: async ({ proposal, verdict, reason }) => replace({ ...findProposal(proposal), status: verdict, reason }),
      explainNeedToAsk: async () => 'The change is critical.',
    },
    ...asksNobody,
    verification: {
      preview: async () => {
        throw new SelfwareError('unavailable', 'Not here.');
      },
      needsManyTests: () => false,
      async verify(id, { signal, report }) {
        report?.({ stage: 'verifying', done: 0, total: 1, message: 'tests' });
        await options.onVerify?.(signal);
        throwIfCancelled(signal);
        return replace({
          ...findProposal(id),
          status: 'verified',
          verdicts: [
            { gate: 'tests', outcome: 'passed', reason: 'All pass.', evidence: { reachingFiles: 1 }, millis: 1 },
          ],
          strength: 'tested',
          pointsBefore: createPoints(findAllOpportunities().length),
          pointsAfter: createPoints(findAllOpportunities().length - 1),
        });
      },
      ...{ checkTogether: async () => [], verifySideBySide: async () => [], isConfined: async () => true },
      judge: async () => {
        throw new SelfwareError('unavailable', 'Not here.');
      },
      variants: async () => [],
      tryVariant: async () => ({ outcome: 'escaped', reason: null }),
      verifyRemaining: async () => [],
      verifyChange: async (id) => ({
        change: id ?? '',
        title: findProposal(id ?? '').title,
        receipt: 'abc',
        holds: null,
        problems: [],
        verdicts: [],
        ...options.proof,
      }),
    },
    changes,
    ...createMemoryLearning(calls),
    ledger: {
      query: async () => [],
      receipt: async (id) => JSON.stringify(findProposal(id)),
      verify: async () => options.verification ?? { events: 0, intact: true, brokenAt: null, reason: null },
    },
  };
}
const NONE_LOOKED_AT = { found: [], files: 0, known: 0, functions: 0, leftOut: [], undone: 0 };
