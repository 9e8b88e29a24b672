// Writes models as GGUF files, without a library: version 3, 32-bit floats.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

import { writeFile } from 'node:fs/promises';

type Scalar = 'u32' | 'i32' | 'f32' | 'bool' | 'str';
const TYPE_IDS = { u32: 4, i32: 5, f32: 6, bool: 7, str: 8, array: 9 } as const;
const ALIGNMENT = 32;

const u32 = (value: number) => bytesOf(4, (bytes) => bytes.writeUInt32LE(value));
const u64 = (value: number) => bytesOf(8, (bytes) => bytes.writeBigUInt64LE(BigInt(value)));
const str = (text: string) => Buffer.concat([u64(Buffer.byteLength(text)), Buffer.from(text)]);
const ENCODERS: Readonly<Record<Scalar, (value: never) => Buffer>> = {
  u32,
  i32: (value: number) => bytesOf(4, (bytes) => bytes.writeInt32LE(value)),
  f32: (value: number) => bytesOf(4, (bytes) => bytes.writeFloatLE(value)),
  bool: (value: boolean) => Buffer.from([value ? 1 : 0]),
  str,
};

function bytesOf(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
}

interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Collects metadata and tensors, and writes them. */
class Gguf {
  private readonly pairs: Buffer[] = [];
  private readonly tensors: Tensor[] = [];

  set(key: string, type: Scalar, value: unknown): this {
    this.pairs.push(Buffer.concat([str(key), u32(TYPE_IDS[type]), ENCODERS[type](value as never)]));
    return this;
  }

  setAll(key: string, type: Scalar, values: readonly unknown[]): this {
    const items = values.map((value) => ENCODERS[type](value as never));
    this.pairs.push(Buffer.concat([str(key), u32(TYPE_IDS.array), u32(TYPE_IDS[type]), u64(values.length), ...items]));
    return this;
  }

  /** `fill`: all values, or one for each. */
  tensor(name: string, dims: readonly number[], fill: number | Float32Array): this {
    const size = dims.reduce((a, b) => a * b, 1);
    const data = typeof fill === 'number' ? new Float32Array(size).fill(fill) : fill;
    if (data.length !== size) throw new Error(`${name} has ${data.length} values instead of ${size}`);
    this.tensors.push({ name, dims, data });
    return this;
  }

  async write(path: string): Promise<void> {
    let offset = 0;
    const infos: Buffer[] = [];
    const contents: Buffer[] = [];
    for (const { name, dims, data } of this.tensors) {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      infos.push(Buffer.concat([str(name), u32(dims.length), ...dims.map(u64), u32(0), u64(offset)]));
      contents.push(bytes, padding(bytes.length));
      offset += bytes.length + padding(bytes.length).length;
    }
    const counts = [u32(3), u64(this.tensors.length), u64(this.pairs.length)];
    const head = Buffer.concat([Buffer.from('GGUF'), ...counts, ...this.pairs, ...infos]);
    await writeFile(path, Buffer.concat([head, padding(head.length), ...contents]));
  }
}

function padding(length: number): Buffer {
  return Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);
}

/** The printable character for each byte, as tokenisers of GPT-2's kind have it. */
function charactersOfBytes(): readonly string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCharCode(isPrintable ? byte : next++);
  });
}

/** Texts of at least `length` characters that differ from each other; together they are the text. */
function differentPieces(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = at + length;
    while (end < text.length && pieces.includes(text.slice(at, end))) end += 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/**
 * Writes a model of about 2 MB that answers every question with `reply`: a transformer of one layer whose attention and
 * feed-forward network are zero, so that each token alone decides about the next. It reads each byte as one token.
 */
export async function writeGguf(path: string, reply: string, contextTokens = 65_536): Promise<void> {
  const characters = charactersOfBytes();
  const pieces = differentPieces(reply, 6);
  const [begin, end, first] = [256, 257, 258];
  const tokens = [
    ...characters,
    '<|begin|>',
    '<|end|>',
    ...pieces.map((piece) => [...Buffer.from(piece)].map((byte) => characters[byte]).join('')),
  ];
  const types = tokens.map((_, token) => (token === begin || token === end ? 3 : 1));
  const size = Math.ceil(tokens.length / 32) * 32;
  const hidden = 32;
  const embeddings = new Float32Array(size * tokens.length);
  const output = new Float32Array(size * tokens.length);
  for (let token = 0; token < tokens.length; token += 1) {
    embeddings[token * size + token] = 1;
    const following = token < first ? first : token + 1 < tokens.length ? token + 1 : end;
    output[following * size + token] = 5;
  }
  const file = new Gguf()
    .set('general.architecture', 'str', 'llama')
    .set('general.name', 'str', 'selfware-test')
    .set('general.file_type', 'u32', 0)
    .set('llama.context_length', 'u32', contextTokens)
    .set('llama.embedding_length', 'u32', size)
    .set('llama.block_count', 'u32', 1)
    .set('llama.feed_forward_length', 'u32', hidden)
    .set('llama.attention.head_count', 'u32', size / 32)
    .set('llama.attention.head_count_kv', 'u32', size / 32)
    .set('llama.rope.dimension_count', 'u32', 32)
    .set('llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5)
    .set('llama.vocab_size', 'u32', tokens.length)
    .set('tokenizer.ggml.model', 'str', 'gpt2')
    // With `gpt-2`, llama.cpp would remove blanks before punctuation from the answer.
    .set('tokenizer.ggml.pre', 'str', 'qwen2')
    .setAll('tokenizer.ggml.tokens', 'str', tokens)
    .setAll('tokenizer.ggml.token_type', 'i32', types)
    .setAll('tokenizer.ggml.merges', 'str', ['Ġ Ġ'])
    .set('tokenizer.ggml.bos_token_id', 'u32', begin)
    .set('tokenizer.ggml.eos_token_id', 'u32', end)
    .set('tokenizer.ggml.add_bos_token', 'bool', true)
    .set(
      'tokenizer.chat_template',
      'str',
      '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}',
    )
    .tensor('token_embd.weight', [size, tokens.length], embeddings)
    .tensor('output_norm.weight', [size], 1)
    .tensor('output.weight', [size, tokens.length], output)
    .tensor('blk.0.attn_norm.weight', [size], 1)
    .tensor('blk.0.ffn_norm.weight', [size], 1)
    .tensor('blk.0.ffn_gate.weight', [size, hidden], 0)
    .tensor('blk.0.ffn_up.weight', [size, hidden], 0)
    .tensor('blk.0.ffn_down.weight', [hidden, size], 0);
  for (const part of ['q', 'k', 'v', 'output']) file.tensor(`blk.0.attn_${part}.weight`, [size, size], 0);
  await file.write(path);
}
