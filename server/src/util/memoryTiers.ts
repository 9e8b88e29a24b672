// Decides which models may be loaded into the memory of this machine: contains a table of tiers by used memory, and
// pure functions that read it.

const BYTES_PER_MIB = 1024 ** 2;
const BYTES_PER_GIB = 1024 ** 3;

/** The main memory of a machine, in bytes. */
export interface MachineMemory {
  readonly total: number;
  /**
   * The memory that a program can get without slowing other programs down. Null if it is unknown; then only the total
   * limits the choice.
   */
  readonly available: number | null;
}

/**
 * The tiers by used share of the memory, and the models that each tier allows. A tier extends up to the share `below`.
 */
const MEMORY_TIERS = [
  { name: 'normal', below: 0.7, allows: 'models are loaded' },
  { name: 'reduced', below: 0.85, allows: 'a smaller quantisation is better' },
  { name: 'full', below: Infinity, allows: 'no model is loaded, and an idle one is unloaded' },
] as const;
/** The name of a tier. */
export type MemoryTier = (typeof MEMORY_TIERS)[number]['name'];

/** Maximum used share of the memory after a model was loaded. */
const MAX_FILLED_SHARE = MEMORY_TIERS[1].below;
/** A model that needs less than this share of the memory may be loaded in any case. */
const NEGLIGIBLE_SHARE = 0.01;

/** Quantisations of a model with about 32 billion parameters, largest first, with the memory that each needs. */
const QUANTISATIONS = [
  { name: 'Q4_K_M', bytes: 18 * BYTES_PER_GIB },
  { name: 'Q3_K_L', bytes: 14 * BYTES_PER_GIB },
  { name: 'Q2_K', bytes: 10 * BYTES_PER_GIB },
] as const;

/**
 * The kinds of models: the memory that each needs, as a multiple of the bytes of its file, its name in messages, and
 * advice if it is not loaded. The factors are estimates: a GGUF model also needs memory for its context, and an ONNX
 * model for a copy of its weights.
 */
const LOAD_FACTS = {
  gguf: { factor: 1.2, noun: 'The model', otherwise: 'Use a smaller quantisation of it, or close other programs.' },
  onnx: { factor: 2, noun: 'The embedding model', otherwise: 'Close other programs, or use a smaller model.' },
} as const;

/** The tier of a machine if `extraBytes` bytes are used in addition to those in use now. */
export function chooseTier({ total, available }: MachineMemory, extraBytes = 0): MemoryTier {
  const share = (computeBytesInUse({ total, available }) + extraBytes) / total;
  return MEMORY_TIERS.find(({ below }) => share < below)!.name;
}

/** The bytes that may still be loaded; 0 if the memory is full. */
export function computeLoadableBytes(memory: MachineMemory): number {
  return Math.max(0, Math.floor(memory.total * MAX_FILLED_SHARE - computeBytesInUse(memory)));
}

/** The bytes that are known to be in use; 0 if the available memory is unknown. */
function computeBytesInUse({ total, available }: MachineMemory): number {
  return available === null ? 0 : total - available;
}

/**
 * The largest quantisation with which the machine stays in the tier `normal`, otherwise the largest with which it stays
 * in the tier `reduced`; null if there is none.
 */
export function chooseQuantisation(memory: MachineMemory): (typeof QUANTISATIONS)[number] | null {
  const findForTier = (tier: MemoryTier) => QUANTISATIONS.find(({ bytes }) => chooseTier(memory, bytes) === tier);
  return findForTier('normal') ?? findForTier('reduced') ?? null;
}

/** The explanation why a file may not be loaded into memory. */
export interface TooLarge {
  /** The reason, as a sentence. */
  readonly reason: string;
  /** Advice, as a sentence. */
  readonly action: string;
  /** The bytes that the file needs beyond those that may be loaded. */
  readonly missing: number;
}

/** The reason why a file of this size may not be loaded; null if it may. */
export function explainNotLoaded(
  kind: keyof typeof LOAD_FACTS,
  fileBytes: number,
  memory: MachineMemory,
): TooLarge | null {
  const { factor, noun, otherwise: advice } = LOAD_FACTS[kind];
  const neededBytes = fileBytes * factor;
  if (neededBytes < memory.total * NEGLIGIBLE_SHARE || chooseTier(memory, neededBytes) !== 'full') return null;
  const loadableBytes = computeLoadableBytes(memory);
  const [neededText, loadableText] = [formatBytes(neededBytes), formatBytes(loadableBytes)];
  const limit = `at most ${formatPercent(MAX_FILLED_SHARE)} of ${formatBytes(memory.total)} are filled`;
  const reason = `${noun} needs about ${neededText} of memory, and ${loadableText} may be loaded now: ${limit}.`;
  return { reason, action: advice, missing: neededBytes - loadableBytes };
}

/** The memory of a machine and what fits into it, in words for a person. */
export function memorySentence(memory: MachineMemory): string {
  const tier = MEMORY_TIERS.find(({ name }) => name === chooseTier(memory))!;
  const usedBytes = computeBytesInUse(memory);
  const usageText =
    memory.available === null
      ? `${formatBytes(memory.total)}, and how much is in use is unknown`
      : `${formatBytes(usedBytes)} of ${formatBytes(memory.total)} in use ` +
        `(${formatPercent(usedBytes / memory.total)}, ${tier.name}): ${tier.allows}`;
  const bestFit = chooseQuantisation(memory);
  const chain = QUANTISATIONS.map(({ name }) => name);
  const model = bestFit ? `a model of 32B as ${bestFit.name}` : `no model of 32B, not even as ${chain.at(-1)}`;
  return `${usageText}; up to ${formatBytes(computeLoadableBytes(memory))} may be loaded, ${model}`;
}

/**
 * A number of bytes for people: in gigabytes (2³⁰ bytes), or in megabytes (2²⁰ bytes) if it is less than one gigabyte.
 */
export function formatBytes(bytes: number): string {
  return bytes > 0 && bytes < BYTES_PER_GIB
    ? `${Math.ceil(bytes / BYTES_PER_MIB)} MB`
    : `${(bytes / BYTES_PER_GIB).toFixed(1)} GB`;
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
