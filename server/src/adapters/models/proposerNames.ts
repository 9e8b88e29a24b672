// Parses the name of a proposer: its kind and, after a colon, its model and place.

import { SelfwareError } from '../../util/typedError.ts';
import { isLoopback } from '../../util/webAddress.ts';

/** The address at which Ollama listens by default. */
export const OLLAMA_URL = 'http://127.0.0.1:11434';

/** The protocol of a provider. */
export type Protocol = 'openai' | 'anthropic' | 'google';

/** Providers whose models are named without an address, and the environment variables of their keys. */
export const PROVIDERS = {
  openai: { protocol: 'openai', url: 'https://api.openai.com/v1', keyFrom: 'OPENAI_API_KEY' },
  anthropic: { protocol: 'anthropic', url: 'https://api.anthropic.com/v1', keyFrom: 'ANTHROPIC_API_KEY' },
  google: {
    protocol: 'google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    keyFrom: 'GEMINI_API_KEY',
  },
} as const;

/** The name of the environment variable with the key for an address that the person names. */
const OWN_KEY_VARIABLE = 'SELFWARE_MODEL_KEY';

/** The action of a mailbox for a question without an answer: waits for it, leaves it for a later run, or refuses it. */
export type MailboxAction = 'wait' | 'leave' | 'refuse';

/** The action of a mailbox, by the kind in its name. */
const MAILBOX_ACTIONS: Readonly<Record<string, MailboxAction>> = { mailbox: 'wait', later: 'leave', replay: 'refuse' };

/** The table of an agent, by the kind in its name. */
const AGENT_SOURCES: Readonly<Record<string, 'known' | 'acp' | 'own'>> = { agent: 'known', acp: 'acp', command: 'own' };

/** The parts of a name, by the kind of the proposer. */
export type ProposerName =
  | { readonly kind: 'mailbox'; readonly folder: string; readonly unanswered: MailboxAction }
  | { readonly kind: 'gguf'; readonly file: string }
  | { readonly kind: 'ollama'; readonly model: string; readonly url: string }
  | { readonly kind: 'agent'; readonly source: 'known' | 'acp' | 'own'; readonly agent: string }
  | { readonly kind: 'editor'; readonly vendor: string; readonly id: string }
  | {
      readonly kind: 'hosted';
      readonly protocol: Protocol;
      readonly model: string;
      readonly url: string;
      readonly keyFrom: string;
      /** False if the models may be asked without a key, as on a user's own server. */
      readonly needsKey: boolean;
      /**
       * The name of the variable with the provider's key, which is not sent because the address is not one of the
       * provider's hosts.
       */
      readonly withheldVariable?: string;
    };

/** The forms of names, for messages to a person. */
const PROPOSER_FORMS: readonly string[] = [
  'ollama:MODEL',
  'gguf:FILE',
  'openai:MODEL',
  'anthropic:MODEL',
  'google:MODEL',
  'openai-compatible:MODEL@URL',
  'agent:NAME',
  'acp:NAME',
  'command:NAME',
  'mailbox:FOLDER',
  'later:FOLDER',
  'replay:FOLDER',
  'role:auto',
];

/** Parses a name. Throws `usage` for an invalid one. */
export function parseProposerName(name: string): ProposerName {
  const colon = name.indexOf(':');
  const [kind, modelName] = colon < 0 ? [name, ''] : [name.slice(0, colon), name.slice(colon + 1).trim()];
  if (modelName === '') throw createUnknownProposerError(name);
  const unanswered = Object.hasOwn(MAILBOX_ACTIONS, kind) ? MAILBOX_ACTIONS[kind] : undefined;
  if (unanswered) return { kind: 'mailbox', folder: modelName, unanswered };
  const source = Object.hasOwn(AGENT_SOURCES, kind) ? AGENT_SOURCES[kind] : undefined;
  if (source) return { kind: 'agent', source, agent: modelName };
  if (kind === 'gguf') return { kind, file: modelName };
  if (kind === 'editor') return parseEditorModel(name, modelName);
  if (kind === 'ollama') {
    const { model, url } = parseModelAndUrl(modelName, OLLAMA_URL);
    return { kind, model, url };
  }
  const provider = Object.hasOwn(PROVIDERS, kind) ? PROVIDERS[kind as keyof typeof PROVIDERS] : null;
  if (!provider && kind !== 'openai-compatible') throw createUnknownProposerError(name);
  const modelAddress = parseModelAndUrl(modelName, provider?.url ?? null);
  if (provider && isOnHostOf(modelAddress.url, provider.url))
    return { kind: 'hosted', needsKey: true, ...provider, ...modelAddress };
  return {
    kind: 'hosted',
    protocol: provider?.protocol ?? 'openai',
    keyFrom: OWN_KEY_VARIABLE,
    needsKey: false,
    ...(provider ? { withheldVariable: provider.keyFrom } : {}),
    ...modelAddress,
  };
}

/** True if the address is on the host of the provider or on one below it, such as `eu.api.openai.com`. */
export function isOnHostOf(url: string, providerUrl: string): boolean {
  const [{ host }, providerHost] = [new URL(url), new URL(providerUrl).host];
  return host === providerHost || host.endsWith(`.${providerHost}`);
}

/**
 * Parses `VENDOR/MODEL`. Names of vendors contain no slash, and names of models may. Throws `usage` if a part is
 * missing.
 */
function parseEditorModel(name: string, modelName: string): ProposerName {
  const slash = modelName.indexOf('/');
  if (slash < 1 || slash === modelName.length - 1) throw createUnknownProposerError(name);
  return { kind: 'editor', vendor: modelName.slice(0, slash), id: modelName.slice(slash + 1) };
}

/** The host to which code would go; null if the address is on this machine. */
export function parseDestination(url: string): string | null {
  const { hostname, host } = new URL(url);
  return isLoopback(hostname) ? null : host;
}

/**
 * Parses `MODEL@URL`. The URL follows the first `@` before a scheme, because names of models may contain an `@`.
 * `fallback`: the URL if the text has none. Throws `usage` for a missing or invalid part.
 */
function parseModelAndUrl(text: string, fallback: string | null): { readonly model: string; readonly url: string } {
  const offset = text.search(/@https?:\/\//);
  const [model, address] = offset < 0 ? [text, fallback] : [text.slice(0, offset), text.slice(offset + 1)];
  if (address === null || model === '')
    throw new SelfwareError('usage', 'A model and its address are needed.', {
      action: 'Say --proposer openai-compatible:MODEL@http://127.0.0.1:8080/v1, for instance.',
    });
  return { model, url: requireUrl(address) };
}

function requireUrl(address: string): string {
  if (!URL.canParse(address)) throw new SelfwareError('usage', `${address} is not an address.`);
  const url = new URL(address);
  if (url.username !== '' || url.password !== '')
    throw new SelfwareError('usage', 'The address of a model must not hold a password.', {
      action: `Put the key into the environment variable ${OWN_KEY_VARIABLE}.`,
    });
  if (url.protocol === 'http:' && parseDestination(url.href) !== null)
    throw new SelfwareError('usage', `Code would go to ${url.host} unencrypted.`, {
      action: 'Use https://, or reach the server through a tunnel to this machine (`ssh -L`).',
    });
  return url.href.replace(/\/$/, '');
}

function createUnknownProposerError(name: string): SelfwareError {
  return new SelfwareError('usage', `There is no proposer ${name.slice(0, 100)}.`, {
    action: `Choose one of: ${PROPOSER_FORMS.join(', ')}.`,
  });
}
