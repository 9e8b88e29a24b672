// Checks whether a value has its declared type. Only clear contradictions count.

import type { Shape } from '../../core/verify/differential/plan.ts';

/** Maximum depth. Members further inside are not checked. */
const MAX_DEPTH = 3;
/** Maximum number of items of a list that are checked. */
const MAX_ITEMS = 20;

/** The place of a value inside the checked value. `path`: its path, such as `[0].name`. `shapes`: the named shapes. */
interface Place {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly path: string;
  readonly depth: number;
}

/**
 * The contradiction between the value and its declared type, such as ``undefined at `[0].name` ``, with the place
 * inside the value. Null if there is no clear one.
 */
export function explainTypeContradiction(
  value: unknown,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
): string | null {
  return explainContradictionAt(value, shape, { shapes, path: '', depth: 0 });
}

function explainContradictionAt(value: unknown, shape: Shape, place: Place): string | null {
  if (place.depth > MAX_DEPTH) return null;
  switch (shape.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'symbol':
      return explainMismatchUnless(typeof value === shape.kind, value, place);
    case 'literal':
      return explainMismatchUnless(value === shape.value, value, place);
    case 'null':
      return explainMismatchUnless(value === null, value, place);
    case 'undefined':
      return explainMismatchUnless(value === undefined, value, place);
    case 'union': {
      const contradictions = shape.of.map((part) => explainContradictionAt(value, part, place));
      return contradictions.includes(null) ? null : (contradictions[0] ?? null);
    }
    case 'array':
      return Array.isArray(value)
        ? findFirstContradiction(
            value
              .slice(0, MAX_ITEMS)
              .map((part, index) => explainContradictionAt(part, shape.of, createInnerPlace(place, `[${index}]`))),
          )
        : explainMismatchUnless(hasLength(value), value, place);
    case 'tuple':
      return Array.isArray(value)
        ? explainContradictionInTuple(value, shape, place)
        : formatMismatch(value, place.path);
    case 'record':
      return explainContradictionInRecord(value, shape, place);
    case 'ref': {
      const namedShape = place.shapes[shape.name];
      return namedShape ? explainContradictionAt(value, namedShape, createInnerPlace(place, '')) : null;
    }
    case 'any':
    case 'object':
      return null;
    // For all other kinds, any value except null and undefined conforms.
    default:
      return explainMismatchUnless(value !== undefined && value !== null, value, place);
  }
}

function explainContradictionInTuple(
  value: readonly unknown[],
  shape: Extract<Shape, { kind: 'tuple' }>,
  place: Place,
): string | null {
  return findFirstContradiction(
    shape.of.map((part, index) =>
      part.optional && value[index] === undefined
        ? null
        : explainContradictionAt(value[index], part.shape, createInnerPlace(place, `[${index}]`)),
    ),
  );
}

function explainContradictionInRecord(
  value: unknown,
  shape: Extract<Shape, { kind: 'record' }>,
  place: Place,
): string | null {
  if (value === null || value === undefined) return formatMismatch(value, place.path);
  if (typeof value !== 'object' && typeof value !== 'function')
    return explainMismatchUnless(shape.fields.length === 0, value, place);
  const members = value as Readonly<Record<string, unknown>>;
  return findFirstContradiction(
    shape.fields.map(({ name, shape: fieldShape, optional }) =>
      name === '__proto__' || (optional && members[name] === undefined)
        ? null
        : explainContradictionAt(members[name], fieldShape, createInnerPlace(place, `.${name}`)),
    ),
  );
}

function createInnerPlace({ shapes, path, depth }: Place, part: string): Place {
  return { shapes, path: path + part, depth: depth + 1 };
}

function findFirstContradiction(contradictions: readonly (string | null)[]): string | null {
  return contradictions.find((contradictionText) => contradictionText !== null) ?? null;
}

function explainMismatchUnless(conforms: boolean, value: unknown, { path }: Place): string | null {
  return conforms ? null : formatMismatch(value, path);
}

/** True for typed arrays and for objects that only look like a list. */
function hasLength(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'length' in value;
}

function formatMismatch(value: unknown, path: string): string {
  const kind =
    value === undefined || value === null
      ? String(value)
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object' || typeof value === 'function'
          ? `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
          : `the ${typeof value} ${typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)}`;
  return path === '' ? kind : `${kind} at \`${path.replace(/^\./, '')}\``;
}
