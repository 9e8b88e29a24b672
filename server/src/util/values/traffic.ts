// Computes what tokens cost, and estimates the tokens of an agent from the bytes that it exchanges with its hosts,
// because agents do not report their usage in a common form.

/**
 * Tokens of a question (`input`) and its answer (`output`). `cached`: tokens of the question that came from the cache
 * of the provider. `written`: those that were stored in it.
 */
interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly written?: number;
}

/** Prices of a million tokens. If `cached` or `written` is absent, the price of `input` applies. */
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

/**
 * Approximate number of bytes for each token that an agent sends, and for each token that it receives. Received tokens
 * come in many small pieces, each with an overhead.
 */
const [SENT_BYTES_PER_TOKEN, RECEIVED_BYTES_PER_TOKEN] = [4, 300];
/**
 * Sent bytes for each token that counts for the limits of tokens. An agent sends its complete conversation with each of
 * its questions, and providers keep most of it in their cache, so only a fifth of the sent tokens counts. For limits of
 * money, all of them count.
 */
const SENT_BYTES_PER_LIMITED_TOKEN = 20;

/** Estimates the tokens of this traffic that count for the limits of tokens. */
export function estimateLimitedTokens({ sent, received }: Traffic): number {
  return Math.ceil(sent / SENT_BYTES_PER_LIMITED_TOKEN + received / RECEIVED_BYTES_PER_TOKEN);
}

/**
 * Estimates the usage of this traffic; `minOutput`: the number of tokens that were certainly received, which is the
 * minimum of the output. `limited`: the tokens that count for the limits of tokens.
 */
export function estimateTrafficUsage({ sent, received }: Traffic, minOutput = 0) {
  const output = Math.max(minOutput, Math.ceil(received / RECEIVED_BYTES_PER_TOKEN));
  const limited = Math.ceil(sent / SENT_BYTES_PER_LIMITED_TOKEN) + output;
  return { input: Math.ceil(sent / SENT_BYTES_PER_TOKEN), output, cached: 0, estimated: true, limited };
}

/** The maximum amount of money that traffic can cost. `tokens`: its tokens, as the limits count them. */
export function computeMaxTrafficAmount(tokens: number, price: Prices): number {
  const sent = { input: (tokens * SENT_BYTES_PER_LIMITED_TOKEN) / SENT_BYTES_PER_TOKEN, output: 0, cached: 0 };
  return Math.max(computeAmount(sent, price), computeAmount({ input: 0, output: tokens, cached: 0 }, price));
}

/**
 * The amount of money for these tokens. Tokens from the cache of the provider, and those that it stores there, have
 * their own prices, if these are set.
 */
export function computeAmount({ input, output, cached, written = 0 }: Tokens, price: Prices): number {
  const { input: inputPrice, cached: cachedPrice = inputPrice, written: writtenPrice = inputPrice } = price;
  const uncachedInput = input - cached - written;
  return (
    (uncachedInput * inputPrice + cached * cachedPrice + written * writtenPrice + output * price.output) / 1_000_000
  );
}

/**
 * The maximum amount of money that a question of so many tokens can cost without its answer. The provider may store the
 * complete question in its cache.
 */
export function computeMaxQuestionAmount(tokens: number, price: Prices): number {
  const usage = { input: tokens, output: 0, cached: 0 };
  return Math.max(computeAmount(usage, price), computeAmount({ ...usage, written: tokens }, price));
}
