// Finds the offsets in compiled code for places in its source, by a source map (https://tc39.es/ecma426/).

import { decode } from '@jridgewell/sourcemap-codec';
import type { StatementPlace } from './statements.ts';

/** The data that Node writes about a script with a source map while NODE_V8_COVERAGE is set. */
export interface CachedMap {
  /** Lengths of the lines of the code that ran, without line breaks. */
  readonly lineLengths?: readonly number[];
  readonly data?: { readonly sources?: readonly string[]; readonly mappings?: string } | null;
}

/**
 * The offset in the code that ran for each of these places in the source `sourceIndex`. Null for a place to which no
 * code belongs. Throws if the map is broken.
 */
export function mapToCompiledOffsets(
  places: readonly StatementPlace[],
  { lineLengths = [], data }: CachedMap,
  sourceIndex: number,
): readonly (number | null)[] {
  const lineStarts: number[] = [];
  let offset = 0;
  for (const length of lineLengths) {
    lineStarts.push(offset);
    offset += length + 1;
  }
  const mappingsByLine = new Map<number, { readonly column: number; readonly offset: number }[]>();
  for (const [line, segments] of decode(data?.mappings ?? '').entries())
    for (const [column, source, sourceLine, sourceColumn] of segments) {
      if (source !== sourceIndex || sourceLine === undefined || lineStarts[line] === undefined) continue;
      const mappings = mappingsByLine.get(sourceLine) ?? [];
      mappings.push({ column: sourceColumn!, offset: lineStarts[line] + column });
      mappingsByLine.set(sourceLine, mappings);
    }
  return places.map(({ line, column }) => findNextOffset(mappingsByLine.get(line) ?? [], column));
}

/** The offset of the mapping at the column, or otherwise of the next mapping on this line. Null if there is none. */
function findNextOffset(
  mappings: readonly { readonly column: number; readonly offset: number }[],
  column: number,
): number | null {
  let nearestMapping: { readonly column: number; readonly offset: number } | null = null;
  for (const mapping of mappings)
    if (mapping.column >= column && (nearestMapping === null || mapping.column < nearestMapping.column))
      nearestMapping = mapping;
  return nearestMapping?.offset ?? null;
}
