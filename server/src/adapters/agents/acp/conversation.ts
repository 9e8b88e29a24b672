// Gives an agent one task by the Agent Client Protocol (https://agentclientprotocol.com). Answers the agent's requests,
// limits their number, and collects its messages.

import {
  client,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type ClientContext,
  type InitializeResponse,
  type McpServer,
  type SessionUpdate,
  type StopReason,
  type Stream,
} from '@agentclientprotocol/sdk';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { decidePermission } from './permission.ts';
import type { ToolCallCollector } from './toolCalls.ts';
import { readTreeText, writeTreeText } from './treeFiles.ts';

/** The task, and the connection to the agent. */
export interface Conversation {
  /** The work tree, absolute. */
  readonly root: string;
  readonly prompt: string;
  /** The program of an MCP server that the agent is offered; null or absent if there is none. */
  readonly mcpServer?: string | null;
  /** Aborted if the task is cancelled. The agent is then asked to stop, and the conversation ends when it answers. */
  readonly signal: AbortSignal;
  /** Receives the agent's messages, piece by piece. */
  onText(text: string): void;
  /** Receives what the agent reports about its calls of tools. */
  readonly toolCalls?: ToolCallCollector;
  /** Default: `DEFAULT_LIMITS`. */
  readonly limits?: ConversationLimits;
}

/** Limits on what an agent may send. It is stopped when it exceeds one of them. */
export interface ConversationLimits {
  /** Maximum number of calls of tools. */
  readonly calls: number;
  /** Maximum number of requests and notifications of the agent. */
  readonly messages: number;
}

/** The end of a conversation. */
export interface ConversationEnd {
  /** The text of the agent since its last call of a tool, up to `MAX_TEXT_CHARACTERS`. */
  readonly text: string;
  /** The reason that the agent gave when it stopped; null if a limit stopped it. */
  readonly stopReason: StopReason | null;
  /** The limit that the agent exceeded, as the end of a sentence; absent if it exceeded none. */
  readonly exceeded?: string;
}

/** The limits that are used if the caller sets no others. */
export const DEFAULT_LIMITS: ConversationLimits = { calls: 500, messages: 200_000 };
/** Milliseconds that an agent has to end its turn after it has exceeded a limit. */
const STOP_MS = 2000;
/** Maximum number of characters of the agent's text that are kept, from its beginning on. */
const MAX_TEXT_CHARACTERS = 20_000;
/**
 * The mode in which Claude asks nobody for permission. It is safe here because the enclosure limits what Claude can do.
 * In its default mode, another model decides on permissions, which costs money.
 */
const PERMISSION_FREE_MODE = 'bypassPermissions';
/** Code of the error with which an agent asks for a login. */
const LOGIN_REQUIRED_CODE = -32_000;

/**
 * Gives the agent at the other end of `stream` the task. Resolves when it has stopped, or has exceeded a limit. Throws
 * the error of an agent that refuses the task, breaks the protocol or closes the connection early.
 */
export async function runConversation(stream: Stream, conversation: Conversation): Promise<ConversationEnd> {
  const { root, prompt, signal, onText } = conversation;
  const counter = new LimitCounter(conversation.limits ?? DEFAULT_LIMITS);
  const lastText = new LastText(onText);
  const app = client({ name: 'selfware' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      counter.countMessage();
      return decidePermission(params, root);
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => {
      counter.countMessage();
      return { content: await readTreeText(root, params) };
    })
    .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      counter.countMessage();
      await writeTreeText(root, params.path, params.content);
      return {};
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      counter.countMessage();
      if (params.update.sessionUpdate === 'tool_call') counter.countCall();
      lastText.addUpdate(params.update);
      conversation.toolCalls?.addUpdate(params.update);
    });
  let stopReason: StopReason | null = null;
  const conversationEnd = app.connectWith(stream, async (agent): Promise<ConversationEnd> => {
    const initialized = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
      clientInfo: { name: 'selfware', version: '0.1.0' },
    });
    const sessionId = await openSession(agent, initialized, root, conversation.mcpServer ?? null);
    const cancel = () => void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const promptAnswer = agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: prompt }],
    });
    promptAnswer.then(
      (answer) => (stopReason = answer.stopReason),
      () => undefined,
    );
    const stopped = await Promise.race([promptAnswer, counter.exceeded]);
    if (typeof stopped === 'string') {
      cancel();
      await Promise.race([promptAnswer.catch(() => undefined), pause(STOP_MS, undefined, { ref: false })]);
      return { text: lastText.text, stopReason: null, exceeded: stopped };
    }
    // The library delivers a notification later than an answer that followed it, so this waits for notifications.
    await nextTurn();
    return { text: lastText.text, stopReason: stopped.stopReason };
  });
  try {
    return await conversationEnd;
  } catch (error) {
    // An agent that ends right after its answer closes the connection, which the library reports as an error.
    await nextTurn();
    if (stopReason === null) throw error;
    return { text: lastText.text, stopReason: stopReason };
  }
}

/**
 * Opens a session, and returns its id. If the agent asks for a login and offers to log in with a key, its methods with
 * keys are tried one after the other. Throws the error of the first of them if none succeeds, and an `Error` if the
 * agent offers none.
 */
async function openSession(
  agent: ClientContext,
  initialized: InitializeResponse,
  cwd: string,
  mcpServer: string | null,
): Promise<string> {
  const mcpServers: McpServer[] =
    mcpServer === null ? [] : [{ name: 'selfware', command: mcpServer, args: [], env: [] }];
  const createSession = async () => {
    const { sessionId, modes } = await agent.request(methods.agent.session.new, { cwd, mcpServers });
    const isModeOffered = modes?.availableModes.some(({ id }) => id === PERMISSION_FREE_MODE) ?? false;
    // An agent that refuses the mode, as some do for root, still works in its default mode.
    if (isModeOffered)
      await agent
        .request(methods.agent.session.setMode, { sessionId, modeId: PERMISSION_FREE_MODE })
        .catch(() => undefined);
    return sessionId;
  };
  try {
    return await createSession();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== LOGIN_REQUIRED_CODE) throw error;
    const keyMethods = initialized.authMethods?.filter(({ id }) => /key/i.test(id)) ?? [];
    const failures: unknown[] = [];
    for (const { id } of keyMethods) {
      try {
        await agent.request(methods.agent.authenticate, { methodId: id });
        return await createSession();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
    throw new Error('It asks for a login: log in with it once by hand, or set its key.', { cause: error });
  }
}

/** Counts the agent's messages and its calls of tools, and resolves `exceeded` at a limit. */
class LimitCounter {
  readonly #limits: ConversationLimits;
  #messages = 0;
  #calls = 0;
  #resolveExceeded: (limit: string) => void = () => undefined;
  /** Resolves with the limit that was exceeded, as the end of a sentence. */
  readonly exceeded = new Promise<string>((resolve) => (this.#resolveExceeded = resolve));

  constructor(limits: ConversationLimits) {
    this.#limits = limits;
  }

  countMessage(): void {
    const { messages } = this.#limits;
    if ((this.#messages += 1) > messages) this.#resolveExceeded(`more than ${messages} messages`);
  }

  countCall(): void {
    const { calls } = this.#limits;
    if ((this.#calls += 1) > calls) this.#resolveExceeded(`more than ${calls} calls of tools`);
  }
}

/** Keeps the beginning of the agent's text since its last call of a tool. */
class LastText {
  text = '';
  readonly #onText: (text: string) => void;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  addUpdate(update: SessionUpdate): void {
    if (update.sessionUpdate === 'tool_call') this.text = '';
    if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
    this.text = (this.text + update.content.text).slice(0, MAX_TEXT_CHARACTERS);
    this.#onText(update.content.text);
  }
}
