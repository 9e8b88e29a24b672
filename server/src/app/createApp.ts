// Creates a session from settings and adapters. All wiring is explicit and in this file.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../core/model.ts';
import type { Ledger } from '../core/ledger/ledger.ts';
import { createSession } from '../core/session/createSession.ts';
import type { WindowRun } from '../core/session/windowRun.ts';
import type { Session } from '../core/session.ts';
import { COMPONENTS } from '../adapters/components/componentTable.ts';
import { findComponentEntry, requireComponent } from '../adapters/components/installed.ts';
import { addFailover } from '../adapters/embeddings/failover.ts';
import { createBlobs } from '../adapters/files/blobs.ts';
import { createDiskWriter } from '../adapters/files/diskWriter.ts';
import { createDocuments } from '../adapters/files/documents.ts';
import { createInboxFiles } from '../adapters/files/inboxFiles.ts';
import { createJournal } from '../adapters/files/journal.ts';
import { createJudgementDocuments } from '../adapters/files/judgementDocuments.ts';
import { createLock } from '../adapters/files/lock.ts';
import { createStateFolder, throwIfStateInside, resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { createNoteFiles } from '../adapters/files/noteFiles.ts';
import { createTeamFiles } from '../adapters/files/teamFiles.ts';
import { createWorkingTree } from '../adapters/files/workingTree.ts';
import { createBranchWriter } from '../adapters/git/branchWriter.ts';
import { createGit } from '../adapters/git/git.ts';
import { createHistory } from '../adapters/git/history.ts';
import { computeRepositoryKey } from '../adapters/git/repositoryKey.ts';
import { createChunkStore, readLocalRevision } from '../adapters/lancedb/chunkStore.ts';
import { createLazyStore } from '../adapters/lancedb/lazyStore.ts';
import { createPackageTrees } from '../adapters/packages/packageTrees.ts';
import { findPackageSources, NO_PACKAGES } from '../adapters/packages/findPackageSources.ts';
import { createPackages } from '../adapters/packages/packages.ts';
import type { ChosenIsolation } from '../adapters/sandbox/isolation/choose.ts';
import type { ProbeFolders } from '../adapters/sandbox/isolation/probe.ts';
import type { ReportedCalls } from '../adapters/agents/acp/toolCalls.ts';
import type { AgentParts } from '../adapters/agents/agentProposer.ts';
import { createAgents } from '../adapters/agents/agents.ts';
import { createResearch } from '../adapters/agents/research.ts';
import { findKeyVariable, type StoredKeys } from '../adapters/models/keys.ts';
import { readForwardedKeys } from '../adapters/models/forwardedKeys.ts';
import { createProposers, type LocalOptions } from '../adapters/models/proposers.ts';
import { computeMachineLimits } from '../adapters/sandbox/limits.ts';
import { createSandbox, type SandboxParts } from '../adapters/sandbox/sandbox.ts';
import { createCatalogue } from '../adapters/sqlite/catalogue.ts';
import { createContentStore } from '../adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../adapters/sqlite/ledgerStore.ts';
import { distrustPrograms } from '../adapters/system/ownPrograms.ts';
import { createIds, systemClock, createMachine } from '../adapters/system/system.ts';
import { listSetAsideTrees } from './nights/open/setAsideTrees.ts';
import { createProcessMeter } from '../adapters/system/processMeter.ts';
import { safetyPathsOfSelfware } from '../core/charter/protectedPaths.ts';
import { readMachineMemory } from '../adapters/system/machineMemory.ts';
import type { Settings } from '../settings/schema.ts';
import { createEmbedders, createHashedEmbedders, createWordEmbedder } from './embedders.ts';
import { loadEffectiveSettings } from './teamSettings.ts';
import { createReferences } from './references.ts';
import { findEntryPoints } from './entryPoints.ts';
import { recordMergedChanges } from './mergedChanges.ts';
import {
  acpClientEntry,
  agentToolsEntry,
  locateHarness,
  localModelEntry,
  findPackageRoot,
  readProgramVersion,
} from './programPaths.ts';
import { homeOrNull, findMissingForTraining, resolveTrainingPlaces } from './training/setUp.ts';
import { createThreadJobs } from './threadJobs.ts';
import type { Jobs } from '../core/jobs.ts';
import type { Log } from '../core/ports/system.ts';
import type { ReferenceRepositories } from '../core/ports/references.ts';
import type { EditorModels } from '../core/ports/editorModels.ts';
import type { TreeWriter } from '../core/ports/files.ts';

/** Options of the sandbox of a search program, which has no access to the repository and needs few resources. */
const SEARCH_SANDBOX = {
  empty: true,
  limits: { ...computeMachineLimits(), outputBytes: 4 * 1024 ** 2, diskBytes: 256 * 1024 ** 2 },
} as const;

/** The repository of a session, its settings and its environment. */
export interface AppOptions {
  readonly rootDir: string;
  readonly settings: Settings;
  /** Settings that were not accepted, as sentences for the doctor. */
  readonly settingsProblems?: readonly string[];
  /** The person's own settings for the command line, for the doctor. */
  readonly ownSettings?: string;
  readonly trusted: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** False if the session neither searches nor indexes, so that the table of term vectors need not be loaded. */
  readonly searches?: boolean;
  /** Maximum number of threads for jobs; if absent, it depends on the number of cores. */
  readonly threads?: number;
  /** Chooses the isolation of commands; if absent, the first mechanism that works here is used. */
  readonly isolation?: (places: ProbeFolders) => Promise<ChosenIsolation>;
  /**
   * True if threads and processes run the bundle even if this code is the source. If absent, they run the bundle or the
   * source, as this code does.
   */
  readonly built?: boolean;
  /** Runs the jobs; if absent, the session has its own threads. The session closes it. */
  readonly jobs?: Jobs;
  /** Another copy of this repository, whose installed packages are shared with sandboxes and jobs. */
  readonly packagesOf?: string;
  /** With `packagesOf`: path of `rootDir` below the top of its copy, with `/`; empty or absent for the top itself. */
  readonly prefix?: string;
  /** The state folder of that copy. It contains the set-up: packages, services, values, the number of tests. */
  readonly setUpIn?: string;
  /** A folder for the results of commands on base trees; if absent, `setUpIn`. */
  readonly resultsIn?: string;
  /** True for the tree of an unattended run, whose changes are committed to a branch that a person reviews. */
  readonly onBranch?: boolean;
  /** The ledger of the repository from which an unattended run learns; it is only read. */
  readonly repositoryLedger?: Ledger;
  /** The time at which the unattended run that this session continues began, for its limit of money. If absent, now. */
  readonly runStartedAt?: number | undefined;
  /** The editor's window whose budgets the session continues. */
  readonly windowRun?: WindowRun | undefined;
  /** True for another repository that is only searched. The session records nothing in its ledger. */
  readonly isReference?: boolean;
  /** Lets an editor write the files instead of the disk adapter. */
  readonly writer?: (disk: TreeWriter) => TreeWriter;
  /** Language models of the editor in which Selfware runs. */
  readonly editorModels?: EditorModels | undefined;
  /** Keys of models that the person has stored in the editor; they may change at any time. */
  readonly storedKeys?: StoredKeys | undefined;
}

/** Creates the session of one repository. Throws a `SelfwareError` if the folder or the state folder cannot be used. */
export async function createApp(
  options: AppOptions,
): Promise<{ readonly session: Session; readonly notices: readonly Notice[] }> {
  const { settings, log, env, isolation, storedKeys = readForwardedKeys(env) } = options;
  const files = await createWorkingTree(options.rootDir, log);
  // A repository that is only searched does not change which programs are trusted for the open one.
  if (!options.isReference) distrustPrograms(files.rootDir);
  throwIfStateInside(files.rootDir, env);
  const stateDir = resolveStateFolder(files.rootDir, env);
  await createStateFolder(stateDir);
  const ids = createIds(systemClock);
  const uri = settings['index.store'];
  const lateNotices: Notice[] = [];
  const store = createLazyStore({
    choose: async () =>
      createChunkStore(
        stateDir,
        log,
        uri === '' ? null : { uri, repository: await computeRepositoryKey(files.rootDir), env },
      ),
    onNotice: (notice) => lateNotices.push(notice),
    expect: (profile, dimensions) => readLocalRevision(stateDir, uri !== '', profile, dimensions),
  });
  const { termTable, notices, ...embedders } =
    options.searches === false
      ? createHashedEmbedders()
      : await createEmbedders({ settings, trusted: options.trusted, env, log });
  const { embedder, store: chunks } = addFailover({
    ...embedders,
    store,
    onFailure: (error) => log.write('warn', 'The embedder failed; the shipped one is used instead.', error),
  });
  const disk = createDiskWriter(files.rootDir);
  const harness = locateHarness(options.built);
  const treesOfState = createPackageTrees(options.setUpIn ?? stateDir);
  // In a copy, the packages that are shared with the repository itself stay unchanged.
  const packageTrees = options.setUpIn === undefined ? treesOfState : { ...treesOfState, share: async () => {} };
  const sandboxParts = {
    clock: systemClock,
    ids,
    log,
    ...(isolation === undefined ? {} : { chooseMechanism: () => isolation({ stateDir, repository: files.rootDir }) }),
  };
  const choosePackages: NonNullable<SandboxParts['choosePackages']> = (content, changed, signal) =>
    findPackageSources(packageTrees, content, changed, signal);
  // Installations get separate work trees, with which no packages are shared and which are used only once.
  const scratch = createSandbox(files.rootDir, stateDir, { ...sandboxParts, choosePackages: async () => NO_PACKAGES });
  const research = createResearch(settings['models.research'], {
    rootDir: files.rootDir,
    env,
    sandbox: (visiblePaths) =>
      createSandbox(files.rootDir, stateDir, { ...sandboxParts, shownFolders: visiblePaths, ...SEARCH_SANDBOX }),
  });
  const ports = {
    clock: systemClock,
    machine: createMachine(env),
    ids,
    log,
    files,
    writer: options.writer?.(disk) ?? disk,
    teamFiles: createTeamFiles(files.rootDir),
    journal: createJournal(stateDir),
    git: await createGit(files.rootDir, stateDir, log),
    branches: createBranchWriter(files.rootDir, stateDir, env),
    // The sandbox shows Selfware's own packages, which would be hidden if they are in a temporary folder.
    sandbox: createSandbox(files.rootDir, stateDir, {
      ...sandboxParts,
      choosePackages,
      shownFolders: [...harness.folders, join(findPackageRoot(), 'node_modules')],
      maxIdle: 2,
      ...(options.packagesOf === undefined ? {} : { packagesOf: options.packagesOf }),
    }),
    packages: createPackages(files.rootDir, {
      clock: systemClock,
      log,
      env,
      packageTrees: packageTrees,
      ...(options.packagesOf === undefined ? {} : { originalRootDir: options.packagesOf }),
      scratch: (signal) => scratch.open(signal),
      isConfined: async () => (await scratch.isolation()).confined,
    }),
    harness: harness.command,
    inTests: harness.inTests,
    python: harness.python,
    ledger: await createLedgerStore(join(stateDir, 'ledger.db')),
    catalogue: createCatalogue(join(stateDir, 'catalogue.db'), log),
    chunks,
    embedder,
    wordEmbedder: createWordEmbedder(options.searches === false ? undefined : termTable),
    jobs: options.jobs ?? createThreadJobs(files.rootDir, { setUpIn: stateDir, ...options }),
    documents: createDocumentStores(options, stateDir),
    inbox: createInboxFiles(stateDir),
    notes: createNoteFiles(join(stateDir, 'brain'), systemClock),
    history: createHistory(files.rootDir, log),
    references: openReferences(options, options.packagesOf ?? files.rootDir),
    ...(research === undefined ? {} : { research }),
    blobs: createBlobs(stateDir, log),
    lock: createLock(stateDir),
    proposers: createProposers({
      rootDir: files.rootDir,
      env,
      editorModels: options.editorModels,
      storedKeys,
      local: resolveLocalModels(options),
      // An agent works in a separate sandbox, which nothing else uses before or after it.
      agents: createAgents({
        rootDir: files.rootDir,
        env,
        log,
        findKey: (variable) => findKeyVariable(variable, { env, storedKeys }),
        commands: settings['models.commands'],
        acpClient: acpClientEntry(),
        ...createToolsOfAgents(() => session, log),
        onToolCalls: (calls) => recordToolCalls(session, calls, log),
        sandbox: (visiblePaths) =>
          createSandbox(files.rootDir, stateDir, { ...sandboxParts, choosePackages, shownFolders: visiblePaths }),
      }),
    }),
  };
  // Comes before the session reads what was learned. It finds nothing in the copy of an unattended run.
  if (options.trusted && !options.isReference) await recordMergedChanges({ rootDir: files.rootDir, env, log });
  const session = createSession(ports, {
    settings,
    trusted: options.trusted,
    protectedPaths: [
      ...settings['charter.protectedPaths'],
      ...(isOwnRepository(files.rootDir) ? safetyPathsOfSelfware : []),
    ],
    entryPoints: findEntryPoints(files.rootDir),
    contents: await createContentStore(join(stateDir, 'contents.db')),
    termTable,
    recordProfile: recordProfile(),
    notices,
    lateNotices,
    ...(options.onBranch ? { onBranch: true } : {}),
    ...(options.repositoryLedger ? { repositoryLedger: options.repositoryLedger } : {}),
    ...(options.isReference ? { isReference: true } : {}),
    ...(options.runStartedAt === undefined ? {} : { runStartedAt: options.runStartedAt }),
    ...(options.windowRun === undefined ? {} : { windowRun: options.windowRun }),
    doctorInput: {
      nodeVersion: process.versions.node,
      stateDir,
      settingsProblems: options.settingsProblems ?? [],
      ...(options.ownSettings === undefined ? {} : { ownSettings: options.ownSettings }),
      ...listMissingTraining(settings, files.rootDir, env),
      tools: {
        selfware: readProgramVersion(),
        node: process.versions.node,
        platform: `${process.platform}-${process.arch}`,
      },
      memory: readMachineMemory,
      ...createProcessMeter(stateDir),
      setAsideTrees: () => listSetAsideTrees(join(stateDir, 'night')),
    },
  });
  return { session, notices };
}

/**
 * Creates access to other repositories. They are opened untrusted, with indexes on this machine, and search no further
 * repositories. Skips what they exclude, and what this repository excludes.
 */
function openReferences({ settings, env, log }: AppOptions, rootDir: string): ReferenceRepositories {
  const settingsOfReferences = { ...settings, 'memory.references': [], 'models.references': false, 'index.store': '' };
  const createReferenceSettings = (folder: string): Settings => {
    const referenceExclusions = loadEffectiveSettings(folder, {}).settings['index.exclude'];
    return { ...settingsOfReferences, 'index.exclude': [...settings['index.exclude'], ...referenceExclusions] };
  };
  return createReferences({
    rootDir,
    roots: settings['memory.references'],
    log,
    async open(folder) {
      const referenceOptions = {
        rootDir: folder,
        settings: createReferenceSettings(folder),
        trusted: false,
        isReference: true,
      };
      return (await createApp({ ...referenceOptions, env, log })).session;
    },
  });
}

/** Opens the documents in the state folder. Those of the set-up and of results may be in other folders. */
function createDocumentStores({ setUpIn, resultsIn = setUpIn }: AppOptions, stateDir: string) {
  const documentsOfState = createDocuments(stateDir);
  const openDocuments = (folder: string | undefined) => (folder === undefined ? null : createDocuments(folder));
  return createJudgementDocuments(documentsOfState, {
    setUp: openDocuments(setUpIn),
    results: openDocuments(resultsIn),
  });
}

/** The facts about training for the doctor; empty if the person has not configured it. */
function listMissingTraining(settings: Settings, rootDir: string, env: AppOptions['env']) {
  if (settings['learn.model'] === '' && settings['learn.trainCommand'] === '') return {};
  const places = resolveTrainingPlaces(rootDir, env);
  return {
    missingForTraining: findMissingForTraining(settings, places),
    trainingBase: homeOrNull(settings, places)?.base ?? null,
  };
}

/** Records the calls that an agent has reported as feedback. A failed record does not change its answer. */
async function recordToolCalls(session: Session, calls: readonly ReportedCalls[], log: Log): Promise<void> {
  try {
    for (const { tool, failed, count } of calls) {
      const kind = failed ? 'tool_failure' : 'tool_success';
      await session.learned.record({ kind, dimension: `tool:agent/${tool}`, value: null, note: null, count });
    }
  } catch (error) {
    log.write('debug', 'The calls of an agent were not recorded.', error);
  }
}

/** The tools for agents, loaded when an agent is asked. There are none if the bundle was never built. */
function createToolsOfAgents(session: () => Session, log: Log): Pick<AgentParts, 'tools'> {
  const program = agentToolsEntry();
  if (!existsSync(program)) return {};
  const open = async () => {
    const { createAgentTools } = await import('../tools/forAgents.ts');
    return createAgentTools(session, (error) => log.write('error', 'A tool of an agent failed.', error));
  };
  return { tools: { open, program } };
}

/**
 * The options for running GGUF files, with the library in the person's settings, or with the one that was installed on
 * request.
 */
function resolveLocalModels({ settings, env, built }: AppOptions): LocalOptions {
  const places = { env, configuredFolder: settings['models.localLibrary'], selfwareFolder: findPackageRoot() };
  return {
    findLibrary: () => findComponentEntry(COMPONENTS.local, places),
    resolveLibrary: () => requireComponent(COMPONENTS.local, places),
    program: localModelEntry(built),
    env,
  };
}

/**
 * The version of stored records. Records depend on the code that creates them, so a new version of the program reads
 * every file again. Increase the last number if the records change between two versions of the program.
 */
function recordProfile(): string {
  return `records-${readProgramVersion()}-18`;
}

/** True for Selfware's own repository. */
function isOwnRepository(rootDir: string): boolean {
  return existsSync(join(rootDir, 'server', 'src', 'core', 'charter', 'protectedPaths.ts'));
}
