// What tokens cost, and estimates of what the traffic of an agent with its hosts counts, because agents do not report it
// in a common form.

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly written?: number;
}

/** Prices of a million tokens. `cached`, `written`: the price of `input` if absent. */
interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
  readonly written?: number | undefined;
}

/** Bytes that an agent has exchanged with its hosts. */
export interface Traffic {
  readonly sent: number;
  readonly received: number;
}

/** Approximate bytes per token of what is sent, and of what is received, which comes in small pieces. */
const [SENT_BYTES, RECEIVED_BYTES] = [4, 300];
/**
 * Sent bytes per token of the limits of tokens. An agent sends its whole conversation with each of its questions, and
 * providers keep most of it in their cache; so only a fifth of it is counted. Money counts all of it.
 */
const LIMITED_SENT_BYTES = 20;

/** The tokens that count for the limits of tokens. */
export function estimateLimited({ sent, received }: Traffic): number {
  return Math.ceil(sent / LIMITED_SENT_BYTES + received / RECEIVED_BYTES);
}

/** The usage. `leastOutput`: tokens that were certainly received. */
export function estimateTrafficUsage({ sent, received }: Traffic, leastOutput = 0) {
  const output = Math.max(leastOutput, Math.ceil(received / RECEIVED_BYTES));
  const limited = Math.ceil(sent / LIMITED_SENT_BYTES) + output;
  return { input: Math.ceil(sent / SENT_BYTES), output, cached: 0, estimated: true, limited };
}

/** The most money that traffic of so many tokens, as the limits count them, can cost. */
export function maxTrafficAmount(tokens: number, price: Prices): number {
  const sent = { input: (tokens * LIMITED_SENT_BYTES) / SENT_BYTES, output: 0, cached: 0 };
  return Math.max(computeAmount(sent, price), computeAmount({ input: 0, output: tokens, cached: 0 }, price));
}

/**
 * The amount of money for these tokens. Tokens from the provider's cache, and those that it stores there, have their own
 * prices, if these are set.
 */
export function computeAmount({ input, output, cached, written = 0 }: Tokens, price: Prices): number {
  const { input: perInput, cached: perCached = perInput, written: perWritten = perInput } = price;
  const plain = input - cached - written;
  return (plain * perInput + cached * perCached + written * perWritten + output * price.output) / 1_000_000;
}

/** The most money that a question can cost without its answer: the provider may store all of it in its cache. */
export function maxQuestionAmount(tokens: number, price: Prices): number {
  const usage = { input: tokens, output: 0, cached: 0 };
  return Math.max(computeAmount(usage, price), computeAmount({ ...usage, written: tokens }, price));
}
