// Whether a value is what a declared type says. Only clear contradictions count.

import type { Shape } from '../../core/verify/differential/plan.ts';

/** Members further inside are not looked at. */
const DEEPEST = 3;
const MOST_ITEMS = 20;

/** Null: it is. Else the contradiction, with the place inside the value: `undefined at [0].name`. */
export function contradiction(
  value: unknown,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  at = '',
  depth = 0,
): string | null {
  if (depth > DEEPEST) return null;
  const inner = (part: unknown, of: Shape, place: string) => contradiction(part, of, shapes, at + place, depth + 1);
  switch (shape.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'symbol':
      return typeof value === shape.kind ? null : said(value, at);
    case 'literal':
      return Object.is(value, shape.value) || value === shape.value ? null : said(value, at);
    case 'null':
      return value === null ? null : said(value, at);
    case 'undefined':
      return value === undefined ? null : said(value, at);
    case 'union': {
      const all = shape.of.map((part) => contradiction(value, part, shapes, at, depth));
      return all.some((one) => one === null) ? null : (all.find((one) => one !== null) ?? null);
    }
    case 'array': {
      if (!Array.isArray(value)) return isIndexed(value) ? null : said(value, at);
      for (const [index, part] of value.slice(0, MOST_ITEMS).entries()) {
        const found = inner(part, shape.of, `[${index}]`);
        if (found !== null) return found;
      }
      return null;
    }
    case 'tuple': {
      if (!Array.isArray(value)) return said(value, at);
      for (const [index, part] of shape.of.entries()) {
        if (part.optional && index >= value.length) break;
        const found = inner(value[index], part.shape, `[${index}]`);
        if (found !== null && !(part.optional && value[index] === undefined)) return found;
      }
      return null;
    }
    case 'record': {
      if (value === null || value === undefined) return said(value, at);
      if (typeof value !== 'object' && typeof value !== 'function')
        return shape.fields.length > 0 ? said(value, at) : null;
      for (const { name, shape: of, optional } of shape.fields) {
        const part = (value as Readonly<Record<string, unknown>>)[name];
        if (optional && part === undefined) continue;
        const found = inner(part, of, `.${name}`);
        if (found !== null) return found;
      }
      return null;
    }
    case 'ref': {
      const meant = shapes[shape.name];
      return meant ? contradiction(value, meant, shapes, at, depth + 1) : null;
    }
    case 'any':
    case 'object':
      return null;
    // Of the other kinds, only that there is something.
    default:
      return value === undefined || value === null ? said(value, at) : null;
  }
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
        : typeof value === 'object'
          ? 'an object'
          : `the ${typeof value} ${typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)}`;
  return at === '' ? kind : `${kind} at \`${at.replace(/^\./, '')}\``;
}
