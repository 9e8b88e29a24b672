// Puts the parts of a session together behind the façade of core/session.ts.

import type { Settings } from '../../settings/schema.ts';
import { createCharter } from '../charter/charter.ts';
import { improve } from '../cycle.ts';
import type { ImportGraph } from '../index/graph/importGraph.ts';
import { findSymbols } from '../index/symbolSearch.ts';
import { createSearcher } from '../index/search/createSearcher.ts';
import { createLedger } from '../ledger/ledger.ts';
import { IMPORTANCE } from '../memory/episodic.ts';
import type { Notice } from '../model.ts';
import type { Ports } from '../ports.ts';
import { createOperations } from '../run/operations.ts';
import { scoreRepository } from './look/scoring.ts';
import { recipeFacts } from '../propose/recipeTable.ts';
import type { Session, SessionEvent } from '../session.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { createBaselineCache } from '../verify/baseline.ts';
import { strengthOf } from '../verify/strength.ts';
import { analysePaths, analyseRepository } from './look/analysing.ts';
import { knownCheckpoints, pruneCheckpoints, recoverChanges, rollback } from './apply/applying.ts';
import { applyAndJudge, judgeChanges } from './apply/changing.ts';
import { during, notify, unlessDamaged, type SessionContext, type SessionState } from './context.ts';
import { analyseText, changedPaths, fixText, glance } from './propose/editing.ts';
import { changeBaseline } from './look/baseline.ts';
import { commitChanges } from './apply/committing.ts';
import { dismiss, undismiss } from './look/dismissing.ts';
import { headForChanges } from './look/doable.ts';
import { findByRules } from './look/finding.ts';
import { answerGraph } from './index/graph.ts';
import { diagnose, type Surroundings } from './look/doctor.ts';
import { putBackInterrupted } from './verify/interrupted.ts';
import { indexPaths, indexRepository } from './index/indexing.ts';
import { NO_ISOLATION } from './verify/isolation.ts';
import { tellLostTexts } from './ledger/lostTexts.ts';
import { lintRepository } from './look/linting.ts';
import { keepByPerson, tellProbation } from './apply/probation.ts';
import { propose } from './propose/proposing.ts';
import { proposeEdits, proposeTransform } from './propose/proposingEdits.ts';
import { proveAgain } from './verify/provingAgain.ts';
import { exportReceipt, receiptOf } from './ledger/receiptFile.ts';
import { lookAt, modelOf, packTask, readFresh, renderTask } from './search/remembering.ts';
import { awaitsVerification, verifyRemaining } from './propose/remaining.ts';
import { search } from './search/searching.ts';
import { explainRanks, seenOpportunities, shownOpportunities } from './look/seeing.ts';
import { statusOf } from './look/status.ts';
import { existing, verify } from './verify/verifying.ts';
import type { Operation } from '../operation.ts';
import type { ContentStore } from '../ports/ledger.ts';
import type { TermTable } from '../ports/search.ts';

/** Characters; a longer note is a document, and belongs into the repository. */
const LONGEST_NOTE = 2_000;
/** Some 0.7 GB; a question takes 20 ms. */
const CHUNKS_IN_MEMORY = 300_000;
const noImports: ImportGraph = { edges: new Map(), inDegree: new Map(), rank: new Map() };

export interface SessionOptions {
  readonly settings: Settings;
  readonly trusted: boolean;
  /** Ignore patterns beyond the built-in ones: settings, and Selfware's own safety code in its own repository. */
  readonly protectedPaths: readonly string[];
  /** Files with which programs of the repository start: protected as well. */
  readonly entryPoints: readonly string[];
  readonly contents: ContentStore & { close(): Promise<void> };
  /** Shipped vectors of terms; null = none. */
  readonly termTable: TermTable | null;
  /** Repositories with more chunks are searched in the store. */
  readonly chunksInMemory?: number;
  /** Version of everything that determines what is stored of a file. */
  readonly recordProfile: string;
  /** Trouble met while the adapters were made, shown with the rest. */
  readonly notices: readonly Notice[];
  /** Filled while the chunk store is opened. */
  readonly lateNotices?: readonly Notice[];
  readonly surroundings: Surroundings;
}

/** One repository, one session. Call `open` first; afterwards operations queue by themselves. */
export function createSession(ports: Ports, options: SessionOptions): Session {
  const listeners = new Set<(event: SessionEvent) => void>();
  const state: SessionState = {
    activity: 'idle',
    records: new Map(),
    analyses: new Map(),
    lastAnalysis: null,
    importGraph: () => noImports,
    get imports() {
      return this.importGraph().edges;
    },
    get inDegree() {
      return this.importGraph().inDegree;
    },
    get rank() {
      return this.importGraph().rank;
    },
    searcher: createSearcher({ table: options.termTable }),
    searched: new Map(),
    unseen: new Set(),
    inStoreOnly: false,
    imageTree: null,
    commits: [],
    commitsAt: undefined,
    treeHash: null,
    lastIndex: null,
    layers: null,
    points: null,
    places: [],
    coverage: {},
    notices: options.notices,
    stopped: false,
    openedAt: ports.clock.now(),
  };
  const context: SessionContext = {
    ports,
    settings: options.settings,
    trusted: options.trusted,
    ledger: createLedger(ports.ledger, ports.clock, ports.ids, options.contents, strengthOf),
    charter: createCharter({
      files: ports.files,
      protectedPaths: options.protectedPaths,
      entryPoints: options.entryPoints,
      approval: options.settings['charter.approval'],
      maxChanges: options.settings['charter.maxChanges'],
      strengthOf,
      isOurs: (recipe) => recipeFacts(recipe) !== null,
    }),
    operations: createOperations(),
    baseline: createBaselineCache(ports.documents, (message, cause) => ports.log.write('warn', message, cause)),
    tools: options.surroundings.tools ?? {},
    recordProfile: options.recordProfile,
    chunksInMemory: options.chunksInMemory ?? CHUNKS_IN_MEMORY,
    state,
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
  const { operations, ledger } = context;
  let storeOpen: Promise<void> | null = null;
  /** Only what searches needs the store, and loading it takes time and memory. */
  const sayLate = (): void => {
    for (const notice of options.lateNotices ?? []) notify(context, notice);
  };
  const openStore = (): Promise<void> => {
    storeOpen ??= ports.chunks
      .open(`${options.recordProfile}/${ports.embedder.profile}`, ports.embedder.dimensions)
      .then(sayLate);
    // The next one tries again.
    storeOpen.catch(() => (storeOpen = null));
    return storeOpen;
  };
  /** So that one can tell which store serves: a notice when it is another one than was asked for. */
  const useStore = async (): Promise<Notice | null> => {
    await openStore();
    await ports.chunks.revision();
    sayLate();
    return options.lateNotices?.at(-1) ?? null;
  };
  const reindex = async (operation: Operation) => {
    await openStore();
    return during(context, 'indexing', () =>
      indexRepository(context, operation, options.surroundings.peakRssMb),
    ).finally(sayLate);
  };
  const reanalyse = (operation: Operation, paths?: readonly string[]) =>
    during(context, 'analysing', () =>
      paths
        ? analysePaths(context, paths, operation, options.surroundings.peakRssMb)
        : analyseRepository(context, operation, options.surroundings.peakRssMb),
    );
  const analysed = async (operation: Operation) => {
    if (!state.lastAnalysis) await reanalyse(operation);
  };
  /** After a write. Nobody waits for the memory: it follows, where there is one, when nothing else is to be done. */
  const lookAgain = async (operation: Operation) => {
    await reanalyse(operation);
    if (state.lastIndex) operations.whenIdle(async (signal) => void (await reindex({ signal })));
  };

  const session: Session = {
    async open(operation) {
      return operations.run(async () => {
        await ports.catalogue.open(options.recordProfile);
        if (options.trusted) {
          await recoverChanges(context);
          await putBackInterrupted(context);
          await unlessDamaged(context, undefined, () => tellProbation(context));
          await ports.sandbox.sweep();
        }
        const verification = await ledger.verify();
        if (!verification.intact)
          notify(context, {
            severity: 'error',
            message: `The ledger is damaged: ${verification.reason ?? 'unknown reason'}`,
            action: 'Nothing is written to it. Run `selfware ledger verify`.',
          });
        await unlessDamaged(context, undefined, () => tellLostTexts(context));
        state.stopped = await unlessDamaged(context, true, () => ledger.isStopped());
        return state.notices;
      }, operation.signal);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    index: (operation) => operations.run((signal) => reindex({ ...operation, signal }), operation.signal),
    update: (paths, operation) =>
      operations.run(async (signal) => {
        await openStore();
        return during(context, 'indexing', () =>
          indexPaths(context, paths, { ...operation, signal }, options.surroundings.peakRssMb),
        );
      }, operation.signal),
    search: (query, top, signal) => search(context, query, top, signal),
    tidyUp: (operation) =>
      operations.run(async () => {
        await openStore();
        const lock = await ports.lock.acquire('index');
        try {
          if (lock) await ports.chunks.optimise();
        } finally {
          await lock?.release();
        }
      }, operation.signal),
    symbols: async (query, limit) => findSymbols(state.records.values(), query, limit, state.inDegree),
    context: (request, signal) => packTask(context, request, signal),
    graph: (request, signal) => answerGraph(context, request, signal),
    text: async (path) => (state.records.has(path) ? readFresh(context, path) : null),
    lookAt: (path) => lookAt(context, path),
    async remember({ text, tier }) {
      if (text.trim() === '') throw new SelfwareError('usage', 'There is nothing to remember in an empty text.');
      await ledger.record({
        type: 'remembered',
        data: { text: text.trim().slice(0, LONGEST_NOTE), importance: IMPORTANCE[tier], tier },
      });
    },
    render: (pack, signal) => renderTask(context, pack, signal),
    model: (signal) => modelOf(context, signal),

    analyse: (operation, paths) =>
      operations.run((signal) => reanalyse({ ...operation, signal }, paths), operation.signal),
    lint: (operation) =>
      operations.run(
        (signal) => during(context, 'analysing', () => lintRepository(context, { ...operation, signal })),
        operation.signal,
      ),
    opportunities: (paths) => shownOpportunities(context, paths),
    seenOpportunities: (paths) => seenOpportunities(context, paths),
    findByRules: (rules, operation) =>
      operations.run(
        (signal) => during(context, 'analysing', () => findByRules(context, rules, { ...operation, signal })),
        operation.signal,
      ),
    explainRanks: (opportunities) => explainRanks(context, opportunities),
    dismiss: (request) => dismiss(context, request),
    undismiss: (id) => undismiss(context, id),
    dismissals: () => ledger.dismissals(),
    baseline: (action, more) => changeBaseline(context, action, more?.force ?? false),
    analyseText: (path, text, signal) => analyseText(context, path, text, signal),
    glance: (path, text, signal) => glance(context, path, text, signal),
    explainFunction: (path, text, at, signal) => ports.jobs.run('explain', { path, text, ...at }, signal),
    fixText: (path, text, signal) => fixText(context, path, text, signal),
    changedPaths: () => changedPaths(context),
    async metrics(paths) {
      const wanted = paths && new Set(paths);
      return [...state.analyses.values()]
        .filter(({ path }) => !wanted || wanted.has(path))
        .flatMap(({ functions }) => functions);
    },
    score: async () => {
      const { points, places } = await scoreRepository(context);
      return { ...points, places };
    },

    propose: (request) =>
      operations.run(async (signal) => {
        await analysed({ ...request, signal });
        return during(context, 'proposing', () => propose(context, { ...request, signal }));
      }, request.signal),
    proposeEdits: (edits, operation) =>
      operations.run(
        (signal) => during(context, 'proposing', () => proposeEdits(context, edits, signal)),
        operation.signal,
      ),
    proposeTransform: (request, operation) =>
      operations.run(
        (signal) => during(context, 'proposing', () => proposeTransform(context, request, signal)),
        operation.signal,
      ),
    verify: (id, operation, how) =>
      operations.run(async (signal) => {
        await analysed({ ...operation, signal });
        return during(context, 'verifying', () => verify(context, id, { ...operation, signal }, how));
      }, operation.signal),
    proposals: () => ledger.proposals(),
    proposal: (id) => existing(context, id),
    async decide({ proposal, verdict, by, reason }) {
      await existing(context, proposal);
      await ledger.record({ type: verdict, data: { proposal, by, reason } });
      context.emit({ type: 'status' });
      return existing(context, proposal);
    },
    reasonToAsk: async (id) =>
      context.charter.reasonToAsk(await existing(context, id)) ??
      ((await ports.sandbox.isolation()).confined ? null : NO_ISOLATION),
    confined: async () => (await ports.sandbox.isolation()).confined,
    apply: (request) =>
      operations.run((signal) => applyAndJudge(context, { ...request, signal }, lookAgain), request.signal),
    verifyRemaining: (operation) =>
      operations.inBackground(async (signal) => {
        if (!(await ledger.proposals()).some(awaitsVerification)) return [];
        await analysed({ ...operation, signal });
        return during(context, 'verifying', () => verifyRemaining(context, { ...operation, signal }));
      }, operation.signal),
    judge: (operation) =>
      operations.run((signal) => judgeChanges(context, { ...operation, signal }, lookAgain), operation.signal),
    keep: (id, reason) => keepByPerson(context, id, reason),
    async improve(request) {
      // Said before anything runs.
      await headForChanges(context);
      await session.judge(request);
      // Runs of one session share its budget, so that nobody is asked about what could not be applied.
      const left = options.settings['charter.maxChanges'] - (await ledger.changesSince(state.openedAt));
      return improve({ ...session, isStopped: () => ledger.isStopped() }, () => ports.clock.now(), {
        ...request,
        maxChanges: Math.min(request.maxChanges, Math.max(0, left)),
      });
    },

    commit: (request) => operations.run((signal) => commitChanges(context, { ...request, signal }), request.signal),

    checkpoints: () => knownCheckpoints(context),
    rollback: (id, operation) =>
      operations.run(async (signal) => {
        const restored = await during(context, 'applying', () => rollback(context, id, { ...operation, signal }));
        if (state.lastIndex || state.lastAnalysis) await lookAgain({ ...operation, signal });
        return restored;
      }, operation.signal),
    pruneCheckpoints: (keep) => operations.run(() => pruneCheckpoints(context, keep), new AbortController().signal),

    ledger: (query) => ledger.query(query),
    verifyLedger: () => ledger.verify(),
    receipt: async (id) => exportReceipt(context, await receiptOf(context, id)),
    verifyChange: (id, exported, operation) =>
      operations.run(
        (signal) => during(context, 'verifying', () => proveAgain(context, id, exported, { ...operation, signal })),
        operation.signal,
      ),

    async status() {
      // Another process may have died since.
      if (state.activity === 'idle') await putBackInterrupted(context);
      return statusOf(context);
    },
    async stop() {
      state.stopped = true;
      // Both at once: whatever begins while the rest is being ended finds the switch pulled.
      const [, recorded] = await Promise.allSettled([
        operations.cancelAll(),
        ledger.record({ type: 'stopped', data: { rootDir: ports.files.rootDir } }),
      ]);
      context.emit({ type: 'status' });
      if (recorded.status === 'rejected') throw recorded.reason;
    },
    async resume() {
      await ledger.record({ type: 'resumed', data: {} });
      state.stopped = false;
      context.emit({ type: 'status' });
    },
    doctor: (signal) => diagnose(context, options.surroundings, useStore, signal),
    async close() {
      await operations.cancelAll();
      await Promise.all([
        ports.sandbox.close(),
        ports.jobs.close(),
        ports.catalogue.close(),
        ports.chunks.close(),
        ports.ledger.close(),
        options.contents.close(),
      ]);
      listeners.clear();
    },
  };
  return session;
}
