// Finds the result of a trainer: a GGUF file with a whole model or with a LoRA adapter, of which only the header is
// checked.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';

/** The names under which a trainer writes its result. */
const KIND_BY_ARTIFACT = { 'model.gguf': 'model', 'adapter.gguf': 'adapter' } as const;

/** The file that a trainer has written. */
export interface Artifact {
  readonly path: string;
  readonly kind: 'model' | 'adapter';
  /** sha-256 in hex. */
  readonly hash: string;
}

const GGUF_MAGIC = 'GGUF';
const SUPPORTED_VERSIONS: readonly number[] = [2, 3];
/** Size of the header in bytes: the magic text, the version, the number of tensors and the number of values. */
const HEADER_BYTES = 24;

/** Finds the result in a trainer's output folder. If there is no usable one, `refused` is the reason, as a sentence. */
export async function findArtifact(folder: string): Promise<Artifact | { readonly refused: string }> {
  const files: Omit<Artifact, 'hash'>[] = [];
  for (const [name, kind] of Object.entries(KIND_BY_ARTIFACT)) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    if (stats && !stats.isFile()) return { refused: `${name} is not a regular file.` };
    if (stats) files.push({ path, kind });
  }
  const [artifact] = files;
  if (!artifact || files.length > 1) {
    const names = Object.keys(KIND_BY_ARTIFACT).join(' or ');
    return { refused: `The trainer has to write ${names} to $SELFWARE_OUTPUT, and wrote ${files.length} of them.` };
  }
  const problem = await explainInvalidHeader(artifact.path);
  return problem === null ? { ...artifact, hash: await hashFile(artifact.path) } : { refused: problem };
}

/** The reason why the file has no valid header of GGUF, as a sentence; null if it has one. */
async function explainInvalidHeader(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    if (bytesRead < HEADER_BYTES || buffer.toString('latin1', 0, 4) !== GGUF_MAGIC)
      return 'The output of the trainer is not a GGUF file.';
    const version = buffer.readUInt32LE(4);
    if (!SUPPORTED_VERSIONS.includes(version))
      return `The trainer wrote version ${version} of GGUF, which is not known.`;
    if (buffer.readBigUInt64LE(8) === 0n) return 'The GGUF file of the trainer has no weights.';
    return null;
  } finally {
    await file.close();
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}
