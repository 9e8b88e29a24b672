// Converts chunks to Arrow columns and back, whole columns at a time: creating an object for each row would take longer
// than reading or writing the disk.

import { isAscii } from 'node:buffer';
import type { Data, FixedSizeList, RecordBatch, Schema, Struct, Table, Vector } from 'apache-arrow';
import type { WrittenChunk } from '../../core/model.ts';
import { decodeFloat16s, encodeFloat16s } from '../../util/float16.ts';
import type { StoredChunk } from '../../core/ports/search.ts';

type Arrow = typeof import('apache-arrow');
type Library = { readonly lancedb: typeof import('@lancedb/lancedb'); readonly arrow: Arrow };

const TEXT_COLUMNS = ['id', 'path', 'symbol', 'terms'] as const;
const NUMBER_COLUMNS = ['startLine', 'endLine', 'day'] as const;
/** The results of `createTemplate`, by the number of dimensions of the vectors. */
const templates = new Map<number, Table>();

/** The columns of a table of chunks. `day` is the day on which a row was written, in days since 1970. */
export function createChunkSchema(arrow: Arrow, dimensions: number): Schema {
  const { Field, FixedSizeList, Float16, Int32, Schema, Utf8 } = arrow;
  return new Schema([
    ...TEXT_COLUMNS.map((name) => new Field(name, new Utf8(), false)),
    ...NUMBER_COLUMNS.map((name) => new Field(name, new Int32(), false)),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float16(), true)), false),
  ]);
}

/**
 * The table of Arrow with these chunks, which LanceDB accepts. `day`: the day on which the rows are written, in days
 * since 1970.
 */
export function toTable({ lancedb, arrow }: Library, chunks: readonly WrittenChunk[], day: number): Table {
  const dimensions = chunks[0]!.vector.length;
  const template = createTemplate({ lancedb, arrow }, dimensions);
  const batch = template.batches[0]!;
  const DataClass = batch.data.constructor as typeof Data;
  const { length } = chunks;
  const typeOf = (name: string) => template.schema.fields.find((field) => field.name === name)!.type;
  const columns: Record<string, Data> = {};
  for (const name of TEXT_COLUMNS)
    columns[name] = new DataClass(typeOf(name), 0, length, 0, encodeTexts(chunks.map((chunk) => chunk[name] ?? '')));
  const readNumber: Record<(typeof NUMBER_COLUMNS)[number], (chunk: WrittenChunk) => number> = {
    startLine: (chunk) => chunk.startLine,
    endLine: (chunk) => chunk.endLine,
    day: () => day,
  };
  for (const name of NUMBER_COLUMNS)
    columns[name] = new DataClass(typeOf(name), 0, length, 0, [undefined, Int32Array.from(chunks, readNumber[name])]);
  const float16s = new Uint16Array(length * dimensions);
  chunks.forEach(({ vector }, index) => encodeFloat16s(vector, float16s, index * dimensions));
  const listType = typeOf('vector') as FixedSizeList;
  columns['vector'] = new DataClass(listType, 0, length, 0, undefined, [
    new DataClass(listType.children[0]!.type, 0, float16s.length, 0, [undefined, float16s]),
  ]);
  const rows = new DataClass(
    batch.data.type,
    0,
    length,
    0,
    undefined,
    template.schema.fields.map(({ name }) => columns[name]!),
  );
  return new (template.constructor as typeof Table)(
    template.schema,
    new (batch.constructor as typeof RecordBatch)(template.schema, rows as Data<Struct>),
  );
}

/**
 * LanceDB includes its own Arrow and accepts only its own objects, so its classes and types are taken from a table of
 * one row. Creating that table is slow.
 */
function createTemplate({ lancedb, arrow }: Library, dimensions: number): Table {
  const cachedTemplate = templates.get(dimensions);
  if (cachedTemplate) return cachedTemplate;
  const newTemplate = lancedb.makeArrowTable(
    [
      {
        id: '',
        path: '',
        symbol: '',
        terms: '',
        startLine: 0,
        endLine: 0,
        day: 0,
        vector: new Array(dimensions).fill(0),
      },
    ],
    { schema: createChunkSchema(arrow, dimensions) },
  );
  templates.set(dimensions, newTemplate);
  return newTemplate;
}

/** Offsets and bytes of a column of texts. */
function encodeTexts(values: readonly (string | Uint8Array)[]): [Int32Array, Uint8Array] {
  const offsets = new Int32Array(values.length + 1);
  values.forEach((value, index) => (offsets[index + 1] = offsets[index]! + Buffer.byteLength(value)));
  const bytes = Buffer.alloc(offsets.at(-1)!);
  values.forEach((value, index) =>
    typeof value === 'string' ? bytes.write(value, offsets[index]!) : bytes.set(value, offsets[index]!),
  );
  return [offsets, bytes];
}

/** The chunks of a batch. Their vectors share one array. */
export function toStored(batch: RecordBatch): StoredChunk[] {
  const ids = decodeTexts(batch, 'id');
  const terms = decodeTexts(batch, 'terms');
  const listData = batch.getChild('vector')!.data[0]!;
  const dimensions = (listData.type as { listSize: number }).listSize;
  const begin = listData.offset * dimensions;
  const vectors = decodeFloat16s(
    (listData.children[0]!.values as Uint16Array).subarray(begin, begin + listData.length * dimensions),
  );
  return ids.map((id, index) => ({
    id,
    terms: terms[index]!,
    vector: vectors.subarray(index * dimensions, (index + 1) * dimensions),
  }));
}

/** The texts of a column. If every byte is a character (ASCII), all bytes are decoded in one call. */
export function decodeTexts(batch: RecordBatch, name: string): string[] {
  const column = batch.getChild(name) as Vector;
  const data = column.data[0]!;
  const offsets = data.valueOffsets as Int32Array;
  const firstOffset = offsets[0]!;
  const bytes = (data.values as Uint8Array).subarray(firstOffset, offsets[data.length]);
  const allText = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const asciiText = isAscii(allText) ? allText.toString('latin1') : null;
  return Array.from({ length: data.length }, (_, index) => {
    const [from, to] = [offsets[index]! - firstOffset, offsets[index + 1]! - firstOffset];
    return asciiText === null ? allText.toString('utf8', from, to) : asciiText.slice(from, to);
  });
}
