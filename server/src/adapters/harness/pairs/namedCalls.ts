// Recognises the calls that the tests of a change make with literal arguments. The change is meant to alter the results
// of these calls.

import type { ComparedTarget, NamedCall } from '../../../core/verify/differential/plan.ts';
import type { Call, ValueSpec } from '../messages.ts';

/**
 * Returns a function that returns true if a call of this target is one of the named calls. It always returns false for
 * members and for objects that are used in steps.
 */
export function createNamedMatcher(target: ComparedTarget, named: readonly NamedCall[]): (call: Call) => boolean {
  if (target.kind !== 'function' || target.member || target.used) return () => false;
  const path = target.path.replace(/\.[cm]?[jt]sx?$/, '');
  const keys = new Set(
    named
      .filter((call) => call.path === path || `${call.path}/index` === path)
      .filter(({ name }) => name === target.exportedAs)
      .map((call) => JSON.stringify(call.arguments)),
  );
  return keys.size === 0
    ? () => false
    : ({ arguments: values, steps }) => steps.length === 0 && keys.has(JSON.stringify(values.map(formatValue)));
}

/**
 * The value as a text, in the form in which `verify/claims/namedCalls.ts` writes arguments; null if it is not plain
 * data.
 */
function formatValue(value: ValueSpec): string | null {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value.$ === 'array') {
    const items = value.of.map(formatValue);
    return items.includes(null) ? null : `[${items.join(',')}]`;
  }
  if (value.$ !== 'record') return null;
  const fields = value.fields.map(([name, field]) => {
    const text = formatValue(field);
    return text === null ? null : `${JSON.stringify(name)}:${text}`;
  });
  return fields.includes(null) ? null : `{${fields.toSorted().join(',')}}`;
}
