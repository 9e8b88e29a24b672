// Asks the person behind the client before an action: by elicitation, if the client supports it. A client is not a
// person.

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
import type { Consent, ConsentQuestion } from '../tools/tool.ts';

/** Name of the question and its answer in the protocol. */
const CONSENT_KEY = 'consent';
/** Seconds that a person has for an answer: many, because they may be away. */
const ANSWER_SECONDS = 4 * 3600;
const answer = z.object({ approve: z.boolean().describe('Yes, do it.').meta({ title: 'Approve' }) });

interface QuestionState {
  /** Hash of the tool and its input, so that an answer is valid only for the question that was asked. */
  readonly asked: string;
}

/** Asks the person, and checks their answers. */
export interface ConsentDesk {
  /** Checks that Selfware has asked the question. */
  verify(state: string, context: ServerContext): Promise<unknown>;
  /** The person's answer to this call so far. */
  consentFor(context: ServerContext, server: McpServer, tool: string, input: unknown): Consent;
  /** The answer that puts a question to the person; the client then repeats the call with the answer. */
  ask(question: ConsentQuestion, tool: string, input: unknown): Promise<InputRequiredResult>;
}

/** Creates the desk for one connection. Its answers are valid only for its own questions. */
export function createConsent(): ConsentDesk {
  const codec = createRequestStateCodec<QuestionState>({ key: randomBytes(32), ttlSeconds: ANSWER_SECONDS });
  return {
    verify: codec.verify,
    consentFor({ mcpReq }, server, tool, input) {
      if (!canAsk(mcpReq, server)) return 'nobody';
      if (mcpReq.requestState<QuestionState>()?.asked !== keyOf(tool, input)) return 'unasked';
      const view = inputResponse(mcpReq.inputResponses, CONSENT_KEY);
      if (view.kind !== 'elicit') return 'unasked';
      return view.action === 'accept' && answer.safeParse(view.content).data?.approve === true ? 'given' : 'declined';
    },
    async ask({ ask: { message } }, tool, input) {
      return inputRequired({
        inputRequests: { [CONSENT_KEY]: inputRequired.elicit({ message, requestedSchema: answer }) },
        requestState: await codec.mint({ asked: keyOf(tool, input) }),
      });
    },
  };
}

/**
 * Since the protocol of 2026-07-28, each request contains the client's capabilities; before that, the connection did.
 */
function canAsk({ envelope }: ServerContext['mcpReq'], server: McpServer): boolean {
  const fromRequest = (
    envelope as Readonly<Record<string, { readonly elicitation?: unknown } | undefined>> | undefined
  )?.[CLIENT_CAPABILITIES_META_KEY];
  return Boolean((fromRequest ?? server.server.getClientCapabilities())?.elicitation);
}

function keyOf(tool: string, input: unknown): string {
  return sha256(canonicalJson({ tool, input }));
}
