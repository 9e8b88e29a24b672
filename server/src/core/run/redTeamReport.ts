// The part of a night's report about changes that were made worse on purpose, and the line for each of these variants.

import { divider, md, row, type Insertable } from '../../protocol/markdown.ts';
import { counted } from '../../util/counted.ts';
import { CHEAT_KINDS, type VariantOutcome } from '../model/cheats.ts';
import { changeDiff } from './changeDiff.ts';
import type { Night } from './nights.ts';

type Variant = Night['variants'][number];

/** The line for one variant. `how`: what was done to the change, such as its kind and place. */
export function variantLine(
  { kind, outcome, title, isBeside }: Pick<Variant, 'kind' | 'outcome' | 'title'> & { readonly isBeside?: boolean },
  how: string = kind,
): string {
  if (!isBeside) return `Made worse on purpose (${how}), ${outcome}: ${title}`;
  if (outcome === 'escaped') return `Untested code beside “${title}” (${how})`;
  return `Made worse on purpose beside the change (${how}), ${outcome}: ${title}`;
}

/** What became of the variants. Those of code beside the changes are counted separately. */
export function redTeamOf({ variants }: Pick<Night, 'variants'>): readonly Insertable[] {
  if (variants.length === 0) return [];
  const variantsOfChange = variants.filter(({ isBeside }) => !isBeside);
  const beside = variants.filter(({ isBeside }) => isBeside);
  return [
    md`## Red team`,
    '',
    md`In idle time, the changes were made worse on purpose.${variantsOfChange.length === 0 ? '' : ` ${passedOf(variantsOfChange)}`}`,
    '',
    ...tableOf(variantsOfChange),
    ...escapesOf(
      variantsOfChange,
      ({ title, kind, path, line }) => md`- ${kind}, ${path}:${line}, in a variant of “${title}”`,
    ),
    ...besideOf(beside),
  ];
}

function besideOf(beside: readonly Variant[]): readonly Insertable[] {
  if (beside.length === 0) return [];
  const escaped = countOf(beside, 'escaped');
  const meaning =
    escaped === 0 ? '' : ' This code lacks tests, and the changes do not touch it, so the run was not paused.';
  return [
    md`Code beside the changes was made worse, too. ${passedOf(beside)}${meaning}`,
    '',
    ...escapesOf(
      beside,
      ({ title, kind, path, line }) => md`- Untested code beside “${title}”: ${kind}, ${path}:${line}`,
    ),
  ];
}

function passedOf(variants: readonly Variant[]): string {
  const unknown = countOf(variants, 'unknown');
  const judged = variants.length - unknown;
  const rest = unknown === 0 ? '' : ` ${counted(unknown, 'variant')} could not be judged.`;
  return `${countOf(variants, 'escaped')} of ${counted(judged, 'variant')} passed all checks.${rest}`;
}

/**
 * How many variants of each kind were judged, and how many of them passed. Variants that could not be judged are left
 * out.
 */
function tableOf(variants: readonly Variant[]): readonly Insertable[] {
  const judged = variants.filter(({ outcome }) => outcome !== 'unknown');
  if (judged.length === 0) return [];
  return [
    row('Made worse by', 'Tried', 'Passed all checks'),
    divider(3),
    ...CHEAT_KINDS.flatMap((kind) => {
      const ofKind = judged.filter((one) => one.kind === kind);
      return ofKind.length === 0 ? [] : [row(kind, ofKind.length, countOf(ofKind, 'escaped'))];
    }),
    '',
  ];
}

function escapesOf(variants: readonly Variant[], lineOf: (variant: Variant) => Insertable): readonly Insertable[] {
  return variants
    .filter(({ outcome }) => outcome === 'escaped')
    .flatMap((variant) => [lineOf(variant), '', ...changeDiff({ text: variant.diff ?? '', more: 0 })]);
}

function countOf(variants: readonly Variant[], outcome: VariantOutcome): number {
  return variants.filter((variant) => variant.outcome === outcome).length;
}
