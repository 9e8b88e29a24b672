// Starts the language server, and offers its requests as typed functions, so that the rest of the client need not know
// the protocol.

import * as vscode from 'vscode';
import type {
  LanguageClient,
  ProgressType,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from 'vscode-languageclient/node';
import type { SearchAnswer, SearchParams } from '#protocol/memory';
import { clientNotifications, clientRequests, notifications, requests, serverCommands } from '#protocol/methods';
import type { EditorModelQuestion, StoredModelKeys } from '#protocol/models';
import type {
  OpportunitiesParams,
  OpportunityFiles,
  OpportunityFilesParams,
  OpportunityPage,
} from '#protocol/opportunities';
import type { DismissalList } from '#protocol/reports';
import type { RuleFileRef, RuleFileText } from '#protocol/rules';
import type {
  CommandOutcome,
  EvidenceAnswer,
  ExplainAnswer,
  ExplainParams,
  Outcome,
  Review,
  SaveParams,
} from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import { toolRequests, type ToolPreparation, type ToolReply, type ToolRequest } from '#protocol/tools';
import { createEditorModels } from './editorModels.ts';
import { saveDocuments } from './documentSaver.ts';
import { isLostCall, composeLossMessage } from './lostCall.ts';
import { createLossCounter } from './lostCount.ts';
import { PROGRESS_PREFIX, startClient } from './startClient.ts';
import type { RunningCommand } from '../requests/requestText.ts';

/** The value of `State.Running` in vscode-languageclient, which is loaded only when the server starts. */
const RUNNING_STATE = 2;
/** Maximum wait for a restarted server, in milliseconds, before the person is told that a command was lost. */
const MAX_RESTART_MS = 20_000;

type WorkDone = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** Options of a command. `onProgress` receives the server's current step, as text. */
export interface ExecuteOptions {
  readonly token?: vscode.CancellationToken;
  readonly onProgress?: (message: string) => void;
}

/**
 * The state of the server process. `gone`: it did not start, or has stopped too often, and is not restarted
 * automatically.
 */
export type ServerLife = 'starting' | 'running' | 'restarting' | 'gone';

/**
 * The language server. Every call waits until the server has started; if it cannot start, the call rejects with an
 * error whose message is a sentence for the person.
 */
export interface Server {
  /** Fires when the state of the sidebar may have changed. */
  readonly onStateChanged: vscode.Event<void>;
  /**
   * Fires with each review that the server offers: of a proposal that is ready for a decision, or of the remaining part
   * of a proposal after its checks.
   */
  readonly onReviewReady: vscode.Event<Review>;
  readonly life: ServerLife;
  readonly onLifeChanged: vscode.Event<ServerLife>;
  /** Number of commands in progress. */
  readonly executing: number;
  /** The commands that this window has sent and that have not ended. */
  readonly running: ReadonlySet<RunningCommand>;
  /** True if this window has requested to apply or reject this proposal. */
  hasDecided(proposal: string): boolean;
  /** Fires with the outcome of an applied change that failed its checks. */
  readonly onOutcome: vscode.Event<Outcome>;
  /** The current state of the sidebar. */
  state(): Promise<SidebarState>;
  /** A page of opportunities; null if the server has no answer. */
  opportunities(params: OpportunitiesParams): Promise<OpportunityPage | null>;
  /** The files with opportunities; null if the server has no answer. */
  opportunityFiles(params: OpportunityFilesParams): Promise<OpportunityFiles | null>;
  /** The review of a proposal. Rejects if the proposal no longer exists. */
  review(proposal: string): Promise<Review>;
  /** The page with the evidence for a proposal. Rejects if the proposal no longer exists. */
  evidence(proposal: string): Promise<EvidenceAnswer>;
  /** The page about an opportunity. Rejects if the opportunity no longer exists. */
  explain(params: ExplainParams): Promise<ExplainAnswer>;
  /** The text of a file of repository rules; null if there is no such file. */
  broughtRules(file: RuleFileRef): Promise<RuleFileText | null>;
  dismissals(): Promise<DismissalList>;
  search(params: SearchParams): Promise<SearchAnswer>;
  /** A description of a tool's next action, and the question for the person. */
  prepareTool(request: ToolRequest): Promise<ToolPreparation>;
  callTool(request: ToolRequest, token: vscode.CancellationToken): Promise<ToolReply>;
  /**
   * Runs a command of the server. If the server ends meanwhile, resolves with a failed outcome that says how to
   * continue.
   */
  execute(command: keyof typeof serverCommands, params?: object, options?: ExecuteOptions): Promise<CommandOutcome>;
  /** Replaces the API keys of models that the server holds in memory. `keys`: by host. */
  sendModelKeys(keys: Readonly<Record<string, string>>): Promise<void>;
  /** Tells the server that the person trusts the workspace. */
  grantTrust(): Promise<void>;
  /** Chooses the folder to which later requests without a folder refer. */
  chooseFolder(uri: string): Promise<void>;
  /** Restarts the server, even if it has stopped too often to be restarted automatically. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Options for starting the server. */
export interface StartOptions {
  /** Path of the server's bundle. */
  readonly module: string;
  /**
   * The reason why the server cannot run, as a sentence; null if it can. If set, the server is not started, and every
   * call rejects with this sentence.
   */
  readonly problem: string | null;
  /** Returns the URI of the folder that the person has chosen; undefined for the first folder. */
  readonly folder: () => string | undefined;
  readonly onStartFailed: (error: unknown) => void;
}

/** Starts the server in the background and returns at once. */
export function startServer(
  { module, problem, folder, onStartFailed }: StartOptions,
  output: vscode.LogOutputChannel,
): Server {
  const stateChanged = new vscode.EventEmitter<void>();
  const reviewReady = new vscode.EventEmitter<Review>();
  const outcomeReported = new vscode.EventEmitter<Outcome>();
  const lifeChanged = new vscode.EventEmitter<ServerLife>();
  const lossCount = createLossCounter();
  let life: ServerLife = 'starting';
  let callCount = 0;
  const running = new Set<RunningCommand>();
  const decidedProposals = new Set<unknown>();
  const startedClient = problem
    ? Promise.reject<LanguageClient>(new Error(problem))
    : startClient(module, output, { prepare: registerHandlers, onLost: handleLoss, folder });
  startedClient.then(
    () => setLife('running'),
    (error: unknown) => {
      setLife('gone');
      onStartFailed(error);
    },
  );

  return {
    onStateChanged: stateChanged.event,
    onReviewReady: reviewReady.event,
    onLifeChanged: lifeChanged.event,
    get life() {
      return life;
    },
    get executing() {
      return running.size;
    },
    running,
    hasDecided: (proposal) => decidedProposals.has(proposal),
    onOutcome: outcomeReported.event,
    state: async () => (await startedClient).sendRequest<SidebarState>(requests.state),
    opportunities: async (params) =>
      (await startedClient).sendRequest<OpportunityPage | null>(requests.opportunities, params),
    opportunityFiles: async (params) =>
      (await startedClient).sendRequest<OpportunityFiles | null>(requests.opportunityFiles, params),
    review: async (proposal) => {
      const review = await (await startedClient).sendRequest<Review | null>(requests.review, { proposal });
      if (!review) throw new Error('This proposal no longer exists.');
      return review;
    },
    evidence: async (proposal) => {
      const evidence = await (await startedClient).sendRequest<EvidenceAnswer | null>(requests.evidence, { proposal });
      if (!evidence) throw new Error('This proposal no longer exists.');
      return evidence;
    },
    explain: async (params) => {
      const explanation = await (await startedClient).sendRequest<ExplainAnswer | null>(requests.explain, params);
      if (!explanation) throw new Error('This opportunity no longer exists: the file has changed.');
      return explanation;
    },
    broughtRules: async ({ folder, path }) =>
      (await startedClient).sendRequest<RuleFileText | null>(requests.broughtRules, { folder, path }),
    dismissals: async () => (await startedClient).sendRequest<DismissalList>(requests.dismissals),
    search: async (params) => (await startedClient).sendRequest<SearchAnswer>(requests.search, params),
    prepareTool: async (request) => (await startedClient).sendRequest<ToolPreparation>(toolRequests.prepare, request),
    callTool: async (request, token) => (await startedClient).sendRequest<ToolReply>(toolRequests.call, request, token),
    execute: async (command, params = {}, { token, onProgress } = {}) => {
      const client = await startedClient;
      const { ExecuteCommandRequest, WorkDoneProgress } = await import('vscode-languageclient/node');
      const workDoneToken = `${PROGRESS_PREFIX}${++callCount}`;
      const progress =
        onProgress &&
        client.onProgress(WorkDoneProgress.type as ProgressType<WorkDone>, workDoneToken, (value) =>
          onProgress(describeProgress(value)),
        );
      const runningCommand = { command, params };
      running.add(runningCommand);
      if ((command === 'apply' || command === 'reject') && 'proposal' in params) decidedProposals.add(params.proposal);
      try {
        return (await client.sendRequest(
          ExecuteCommandRequest.type,
          { command: serverCommands[command], arguments: [params], ...(onProgress ? { workDoneToken } : {}) },
          token,
        )) as CommandOutcome;
      } catch (error) {
        // The error itself does not say which command was interrupted, so it becomes an outcome here.
        if (!isLostCall(error)) throw error;
        return { ok: false, message: composeLossMessage(command, (await waitForRestart()) !== 'gone'), review: null };
      } finally {
        running.delete(runningCommand);
        progress?.dispose();
      }
    },
    sendModelKeys: async (keys) => {
      await (await startedClient).sendRequest(requests.modelKeys, { keys } satisfies StoredModelKeys);
    },
    grantTrust: async () => (await startedClient).sendNotification(clientNotifications.trust, { trusted: true }),
    chooseFolder: async (uri) => (await startedClient).sendNotification(clientNotifications.folder, { uri }),
    restart: async () => {
      lossCount.forget();
      setLife('restarting');
      await (await startedClient).restart();
    },
    stop: async () => {
      const client = await startedClient.catch(() => null);
      if (client?.needsStop()) await client.stop();
      stateChanged.dispose();
      reviewReady.dispose();
      lifeChanged.dispose();
      outcomeReported.dispose();
    },
  };

  /**
   * Waits for the restart after the server was lost, at most `MAX_RESTART_MS`, so that the server runs again when the
   * person reads the message.
   */
  function waitForRestart(): Promise<ServerLife> {
    if (life === 'gone') return Promise.resolve(life);
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        subscription.dispose();
        resolve(life);
      };
      const timer = setTimeout(finish, MAX_RESTART_MS);
      const subscription = lifeChanged.event((nextLife) => {
        if (nextLife === 'running' || nextLife === 'gone') finish();
      });
    });
  }

  function setLife(newLife: ServerLife): void {
    life = newLife;
    lifeChanged.fire(newLife);
  }

  /**
   * Counts a loss of the server, and returns true if the server may be restarted. Only the work in progress is lost:
   * the restarted server continues from its stored state.
   */
  function handleLoss(): boolean {
    const isRestarted = lossCount.countLoss();
    output.warn(
      isRestarted
        ? 'The language server has stopped and is being restarted.'
        : 'The language server has stopped too often; it is not restarted.',
    );
    setLife(isRestarted ? 'restarting' : 'gone');
    return isRestarted;
  }

  function registerHandlers(client: LanguageClient): void {
    client.onDidChangeState(({ newState }) => {
      if (newState !== RUNNING_STATE || life !== 'restarting') return;
      output.info('The language server runs again; indexing continues where it was.');
      setLife('running');
    });
    client.onNotification(notifications.stateChanged, () => stateChanged.fire());
    client.onNotification(notifications.reviewReady, (review: Review) => reviewReady.fire(review));
    client.onNotification(notifications.outcome, (outcomeOfCommand: Outcome) => outcomeReported.fire(outcomeOfCommand));
    const models = createEditorModels((piece) => client.sendNotification(clientNotifications.modelText, piece));
    client.onRequest(clientRequests.models, () => models.list());
    client.onRequest(clientRequests.askModel, (question: EditorModelQuestion, token: vscode.CancellationToken) =>
      models.ask(question, token),
    );
    client.onRequest(clientRequests.save, (params: SaveParams) => saveDocuments(params));
  }
}

function describeProgress(value: WorkDone): string {
  // The notification already begins with "Selfware".
  return value.message ?? (value.kind === 'begin' ? value.title.replace(/^Selfware: /, '') : '');
}
