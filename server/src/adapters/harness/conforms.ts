// Whether a value is what a declared type says. Only clear contradictions count.

import type { Shape } from '../../core/verify/differential/plan.ts';

/** Members further inside are not looked at. */
const DEEPEST = 3;
const MOST_ITEMS = 20;

/** Where a value is, and what names of shapes mean. */
interface Place {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly at: string;
  readonly depth: number;
}

/** Null: it is. Else the contradiction, with the place inside the value: `undefined at [0].name`. */
export function contradiction(value: unknown, shape: Shape, shapes: Readonly<Record<string, Shape>>): string | null {
  return against(value, shape, { shapes, at: '', depth: 0 });
}

function against(value: unknown, shape: Shape, place: Place): string | null {
  if (place.depth > DEEPEST) return null;
  switch (shape.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'symbol':
      return unless(typeof value === shape.kind, value, place);
    case 'literal':
      return unless(value === shape.value, value, place);
    case 'null':
      return unless(value === null, value, place);
    case 'undefined':
      return unless(value === undefined, value, place);
    case 'union': {
      const all = shape.of.map((part) => against(value, part, place));
      return all.includes(null) ? null : (all[0] ?? null);
    }
    case 'array':
      return Array.isArray(value)
        ? first(value.slice(0, MOST_ITEMS).map((part, index) => against(part, shape.of, inside(place, `[${index}]`))))
        : unless(isIndexed(value), value, place);
    case 'tuple':
      return Array.isArray(value) ? ofTuple(value, shape, place) : said(value, place.at);
    case 'record':
      return ofRecord(value, shape, place);
    case 'ref': {
      const meant = place.shapes[shape.name];
      return meant ? against(value, meant, inside(place, '')) : null;
    }
    case 'any':
    case 'object':
      return null;
    // Of the other kinds, only that there is something.
    default:
      return unless(value !== undefined && value !== null, value, place);
  }
}

function ofTuple(value: readonly unknown[], shape: Extract<Shape, { kind: 'tuple' }>, place: Place): string | null {
  return first(
    shape.of.map((part, index) =>
      part.optional && value[index] === undefined
        ? null
        : against(value[index], part.shape, inside(place, `[${index}]`)),
    ),
  );
}

function ofRecord(value: unknown, shape: Extract<Shape, { kind: 'record' }>, place: Place): string | null {
  if (value === null || value === undefined) return said(value, place.at);
  if (typeof value !== 'object' && typeof value !== 'function') return unless(shape.fields.length === 0, value, place);
  const members = value as Readonly<Record<string, unknown>>;
  return first(
    shape.fields.map(({ name, shape: of, optional }) =>
      name === '__proto__' || (optional && members[name] === undefined)
        ? null
        : against(members[name], of, inside(place, `.${name}`)),
    ),
  );
}

function inside({ shapes, at, depth }: Place, part: string): Place {
  return { shapes, at: at + part, depth: depth + 1 };
}

function first(all: readonly (string | null)[]): string | null {
  return all.find((one) => one !== null) ?? null;
}

function unless(holds: boolean, value: unknown, { at }: Place): string | null {
  return holds ? null : said(value, at);
}

/** Typed arrays and what only looks like a list. */
function isIndexed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'length' in value;
}

function said(value: unknown, at: string): string {
  const kind =
    value === undefined || value === null
      ? String(value)
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object' || typeof value === 'function'
          ? `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
          : `the ${typeof value} ${typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)}`;
  return at === '' ? kind : `${kind} at \`${at.replace(/^\./, '')}\``;
}
