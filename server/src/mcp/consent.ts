// Asks the person who uses the client before an action, by an elicitation of the Model Context Protocol. If the client
// does not support elicitation, nobody can be asked, because the answer of a client is not the answer of a person.

import { randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { canonicalJson } from '../util/canonicalJson.ts';
import { sha256 } from '../util/hash.ts';
import type { Consent, ToolConsentQuestion } from '../tools/tool.ts';

/** Name of the question and its answer in the protocol. */
const CONSENT_KEY = 'consent';
/** Maximum number of seconds for an answer. It is high, because the person may be away. */
const MAX_ANSWER_SECONDS = 4 * 3600;
/** The form that the person fills in. */
const answerSchema = z.object({ approve: z.boolean().describe('Yes, do it.').meta({ title: 'Approve' }) });

/** The state that the client sends back with the answer. A key of the connection protects it from changes. */
interface QuestionState {
  /**
   * The hash of the tool and its input, so that an answer counts only for the call about which the person was asked.
   */
  readonly callHash: string;
}

/** Asks the person, and reads the answers. */
export interface PersonConsent {
  /** Checks that a state comes from a question of Selfware. */
  verify(state: string, context: ServerContext): Promise<unknown>;
  /** The consent of the person to this call, as far as it is known. */
  consentFor(context: ServerContext, server: McpServer, tool: string, input: unknown): Consent;
  /** The result that makes the client ask the person. The client then repeats the call with the answer. */
  ask(question: ToolConsentQuestion, tool: string, input: unknown): Promise<InputRequiredResult>;
}

/** Creates the questions for one connection. Only answers to its own questions count. */
export function createPersonConsent(): PersonConsent {
  const codec = createRequestStateCodec<QuestionState>({ key: randomBytes(32), ttlSeconds: MAX_ANSWER_SECONDS });
  return {
    verify: codec.verify,
    consentFor({ mcpReq }, server, tool, input) {
      if (!canAsk(mcpReq, server)) return 'nobody';
      if (mcpReq.requestState<QuestionState>()?.callHash !== hashCall(tool, input)) return 'unasked';
      const response = inputResponse(mcpReq.inputResponses, CONSENT_KEY);
      if (response.kind !== 'elicit') return 'unasked';
      return response.action === 'accept' && answerSchema.safeParse(response.content).data?.approve === true
        ? 'given'
        : 'declined';
    },
    async ask({ ask: { message } }, tool, input) {
      return inputRequired({
        inputRequests: { [CONSENT_KEY]: inputRequired.elicit({ message, requestedSchema: answerSchema }) },
        requestState: await codec.mint({ callHash: hashCall(tool, input) }),
      });
    },
  };
}

/**
 * True if the client supports elicitation. Since the protocol of 2026-07-28, each request contains the capabilities of
 * the client; before, the client sent them once for the connection.
 */
function canAsk({ envelope }: ServerContext['mcpReq'], server: McpServer): boolean {
  const requestCapabilities = (
    envelope as Readonly<Record<string, { readonly elicitation?: unknown } | undefined>> | undefined
  )?.[CLIENT_CAPABILITIES_META_KEY];
  return Boolean((requestCapabilities ?? server.server.getClientCapabilities())?.elicitation);
}

/** The hash of a call: of the tool and its input. */
function hashCall(tool: string, input: unknown): string {
  return sha256(canonicalJson({ tool, input }));
}
