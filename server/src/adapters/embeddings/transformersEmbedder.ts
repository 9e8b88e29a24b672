// Computes vectors with a model on this machine, using transformers.js. That library is an optional component.

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { explainNotLoaded, type MachineMemory } from '../../util/memoryTiers.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { Extractor, TransformersLibrary } from './transformersLibrary.ts';
import { normaliseVector } from './unitLength.ts';
import type { Embedder } from '../../core/ports/search.ts';

/** Options of an embedder that runs a model on this machine. */
export interface TransformersOptions {
  /** Folder of the model: config.json, tokenizer.json, onnx/model.onnx. Nothing is downloaded. */
  readonly modelDir: string;
  /** Loads transformers.js. Throws `unavailable`. */
  library(): Promise<TransformersLibrary>;
  readonly batchSize?: number;
  /** If absent, the model is loaded whatever its size. */
  memory?(): MachineMemory;
}

/** Number of texts in one call of the model, unless the options set another number. */
const BATCH_SIZE = 16;
/**
 * Maximum number of bytes of a file whose content identifies the model. A larger file is identified by its name and
 * size.
 */
const MAX_HASHED_BYTES = 4 * 1024 * 1024;

/** Loads the library and the model. Throws `unavailable` with advice if one of them is missing or does not run. */
export async function createTransformersEmbedder(options: TransformersOptions): Promise<Embedder> {
  const modelDir = resolve(options.modelDir);
  const identity = await computeIdentity(modelDir);
  await throwIfTooLarge(modelDir, options.memory?.());
  const library = await options.library();
  library.env.allowLocalModels = true;
  library.env.allowRemoteModels = false;
  library.env.localModelPath = dirname(modelDir);
  let extract: Extractor;
  let dimensions: number;
  try {
    extract = await library.pipeline('feature-extraction', basename(modelDir), { local_files_only: true });
    [{ length: dimensions }] = (await computeVectors(extract, ['dimensions'])) as [Float32Array];
  } catch (cause) {
    throw new SelfwareError('unavailable', `The embedding model in ${modelDir} does not run: ${sentenceOf(cause)}`, {
      action: 'Set selfware.memory.embedderModel to the folder of an ONNX feature-extraction model.',
      cause,
    });
  }
  return {
    source: 'model',
    profile: `transformers-${dimensions}-${identity}`,
    dimensions,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      const size = options.batchSize ?? BATCH_SIZE;
      for (let offset = 0; offset < texts.length; offset += size) {
        throwIfCancelled(signal);
        const batch = texts.slice(offset, offset + size);
        const newVectors = await computeVectors(extract, batch).catch((cause: unknown) => {
          throw new SelfwareError('unavailable', `The embedding model failed: ${sentenceOf(cause)}`, { cause });
        });
        if (newVectors.length !== batch.length || newVectors.some((vector) => vector.length !== dimensions))
          throw new SelfwareError('unavailable', 'The embedding model answered with vectors of another size.');
        vectors.push(...newVectors);
      }
      return vectors;
    },
  };
}

async function computeVectors(extract: Extractor, texts: readonly string[]): Promise<Float32Array[]> {
  const { dims, data } = await extract(texts, { pooling: 'mean', normalize: true });
  const [count, size] = [dims[0] ?? 0, dims[dims.length - 1] ?? 0];
  if (dims.length !== 2 || count !== texts.length || size === 0)
    throw new Error(`its output has the shape ${dims.join(' × ')}`);
  return texts.map((_, index) =>
    normaliseVector(Float32Array.from({ length: size }, (_value, dimension) => data[index * size + dimension]!)),
  );
}

/** Identifies the model by names and sizes of its files, and the content of the small ones. */
async function computeIdentity(modelDir: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for (const name of (await readdir(modelDir, { recursive: true })).sort()) {
      const file = join(modelDir, name);
      const { size, isFile } = await stat(file).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
      if (!isFile) continue;
      hash.update(`${name}\0${size}\0`);
      if (size <= MAX_HASHED_BYTES) hash.update(await readFile(file));
    }
  } catch (cause) {
    throw new SelfwareError('unavailable', `The embedding model in ${modelDir} could not be read.`, {
      action: `Set selfware.memory.embedderModel to the folder of a model, or to the name of one that \`selfware models download NAME\` has fetched.`,
      cause,
    });
  }
  return hash.digest('hex').slice(0, 16);
}

function sentenceOf(cause: unknown): string {
  return `${(cause instanceof Error ? cause.message : String(cause)).replace(/(?<![.\s])[.\s]+$/, '')}.`;
}

/** Throws `unavailable` if the weights do not fit into the memory. */
async function throwIfTooLarge(modelDir: string, memory: MachineMemory | undefined): Promise<void> {
  if (!memory) return;
  const folder = join(modelDir, 'onnx');
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^model\.onnx/.test(name));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const tooLarge = explainNotLoaded('onnx', bytes, memory);
  if (tooLarge) throw new SelfwareError('unavailable', tooLarge.reason, { action: tooLarge.action });
}
