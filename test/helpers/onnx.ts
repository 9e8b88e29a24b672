// Writes an embedding model in the ONNX format without a library. The format:
// https://onnx.ai/onnx/repo-docs/IR.html

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Types of elements in ONNX. */
const FLOAT = 1;
const INT64 = 7;

/** Encodes a number as in protocol buffers, with 7 bits per byte. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let remainder = value; ; remainder = Math.floor(remainder / 128)) {
    if (remainder < 128) return Buffer.from([...bytes, remainder]);
    bytes.push((remainder % 128) + 128);
  }
}
const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, content: Buffer | string) =>
  Buffer.concat([varint(field * 8 + 2), varint(Buffer.byteLength(content)), Buffer.from(content)]);
const message = (field: number, ...parts: Buffer[]) => bytes(field, Buffer.concat(parts));

/** Encodes a named input or output with its type of elements. A dimension that is a text may have any size. */
function value(name: string, type: number, dims: readonly (number | string)[]): Buffer {
  const shape = dims.map((dim) => message(1, typeof dim === 'number' ? number(1, dim) : bytes(2, dim)));
  return Buffer.concat([bytes(1, name), message(2, message(1, number(1, type), message(2, ...shape)))]);
}

/** Encodes a model whose only step takes the row of each token from a table. */
function lookUpModel(rows: number, size: number, table: Float32Array): Buffer {
  const axis = message(5, bytes(1, 'axis'), number(3, 0), number(20, 2));
  const gather = [bytes(1, 'table'), bytes(1, 'input_ids'), bytes(2, 'last_hidden_state')];
  const node = message(1, ...gather, bytes(3, 'rows'), bytes(4, 'Gather'), axis);
  const weights = Buffer.from(table.buffer, table.byteOffset, table.byteLength);
  const tensor = message(5, number(1, rows), number(1, size), number(2, FLOAT), bytes(8, 'table'), bytes(9, weights));
  const inputs = ['input_ids', 'attention_mask'].map((name) => message(11, value(name, INT64, ['texts', 'tokens'])));
  const output = message(12, value('last_hidden_state', FLOAT, ['texts', 'tokens', size]));
  const graph = message(7, node, bytes(2, 'graph'), tensor, ...inputs, output);
  return Buffer.concat([number(1, 8), bytes(2, 'selfware-test'), graph, message(8, bytes(1, ''), number(2, 17))]);
}

/**
 * Writes a model with its tokeniser into a folder. Words of the same topic get the same vector. `topics`: the number of
 * the topic of each word; `{ retry: 0, backoff: 0, json: 1 }` has two topics.
 */
export async function writeEmbeddingModel(folder: string, topics: Readonly<Record<string, number>>): Promise<void> {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
  const words = [...special, ...Object.keys(topics)];
  const size = Math.max(...Object.values(topics)) + 2;
  const table = new Float32Array(words.length * size);
  words.forEach((word, row) => {
    const topic = topics[word];
    if (topic !== undefined) table[row * size + topic] = 1;
    table[row * size + size - 1] = 0.1;
  });
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx', 'model.onnx'), lookUpModel(words.length, size, table));
  const put = (name: string, content: object) => writeFile(join(folder, name), JSON.stringify(content));
  await put('config.json', {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: size,
    num_hidden_layers: 1,
    num_attention_heads: 1,
    vocab_size: words.length,
    pad_token_id: 0,
  });
  await put('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: true,
    unk_token: '[UNK]',
    pad_token: '[PAD]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    model_max_length: 64,
  });
  await put('tokenizer.json', {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  });
}
