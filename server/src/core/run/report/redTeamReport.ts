// The section of a night's report on changes that were made worse on purpose, and the line for each of these variants.

import { tableDivider, md, tableRow, type Insertable } from '../../../protocol/markdown.ts';
import { formatCount } from '../../../util/counted.ts';
import { CHEAT_KINDS, type VariantOutcome } from '../../model/cheats.ts';
import { createDiffBlock } from './changeDiff.ts';
import type { Night } from '../nightTypes.ts';

type Variant = Night['variants'][number];

/**
 * The line for one variant. `attack`: a phrase that says how the change was made worse, such as the kind and place of
 * the mistake.
 */
export function describeVariant(
  { kind, outcome, title, isBeside }: Pick<Variant, 'kind' | 'outcome' | 'title'> & { readonly isBeside?: boolean },
  attack: string = kind,
): string {
  if (!isBeside) return `Made worse on purpose (${attack}), ${outcome}: ${title}`;
  if (outcome === 'escaped') return `Untested code beside “${title}” (${attack})`;
  return `Made worse on purpose beside the change (${attack}), ${outcome}: ${title}`;
}

/** The outcomes of the variants. Variants of neighbouring code are counted separately. */
export function createRedTeamSection({ variants }: Pick<Night, 'variants'>): readonly Insertable[] {
  if (variants.length === 0) return [];
  const variantsOfChange = variants.filter(({ isBeside }) => !isBeside);
  const neighbouringVariants = variants.filter(({ isBeside }) => isBeside);
  const passedText = variantsOfChange.length === 0 ? '' : ` ${passedSentence(variantsOfChange)}`;
  return [
    md`## Red team`,
    '',
    md`To test the checks, Selfware made its own changes worse on purpose while it waited.${passedText}`,
    '',
    ...createKindsTable(variantsOfChange),
    ...listEscapes(
      variantsOfChange,
      ({ title, kind, path, line }) => md`- ${kind}, ${path}:${line}, in a variant of “${title}”`,
    ),
    ...createNeighbouringSection(neighbouringVariants),
  ];
}

function createNeighbouringSection(neighbouring: readonly Variant[]): readonly Insertable[] {
  if (neighbouring.length === 0) return [];
  const escapedCount = countOutcome(neighbouring, 'escaped');
  const meaning =
    escapedCount === 0 ? '' : ' That code lacks tests, and the changes do not touch it, so the run was not paused.';
  return [
    md`It made code beside the changes worse, too. ${passedSentence(neighbouring)}${meaning}`,
    '',
    ...listEscapes(
      neighbouring,
      ({ title, kind, path, line }) => md`- Untested code beside “${title}”: ${kind}, ${path}:${line}`,
    ),
  ];
}

/** Sentences about how many variants passed the checks, and what that means. */
function passedSentence(variants: readonly Variant[]): string {
  const unknownCount = countOutcome(variants, 'unknown');
  const judgedCount = variants.length - unknownCount;
  const escaped = countOutcome(variants, 'escaped');
  const unknownText = unknownCount === 0 ? '' : ` ${formatCount(unknownCount, 'variant')} could not be judged.`;
  if (judgedCount === 0) return unknownText.trim();
  if (escaped === 0)
    return `The checks noticed ${judgedCount === 1 ? 'the one variant' : `all ${judgedCount} variants`}, as they should.${unknownText}`;
  return `The checks did not notice ${escaped} of ${formatCount(judgedCount, 'variant')}: look at what these do.${unknownText}`;
}

/**
 * A table with the number of judged variants of each kind, and how many of them passed. Variants that could not be
 * judged are not counted. Empty if the checks noticed all variants.
 */
function createKindsTable(variants: readonly Variant[]): readonly Insertable[] {
  const judgedVariants = variants.filter(({ outcome }) => outcome !== 'unknown');
  // Then the sentence above the table already contains the result.
  if (countOutcome(judgedVariants, 'escaped') === 0) return [];
  return [
    tableRow('Made worse by', 'Tried', 'Not noticed'),
    tableDivider(3),
    ...CHEAT_KINDS.flatMap((kind) => {
      const variantsOfKind = judgedVariants.filter((variant) => variant.kind === kind);
      return variantsOfKind.length === 0
        ? []
        : [tableRow(kind, variantsOfKind.length, countOutcome(variantsOfKind, 'escaped'))];
    }),
    '',
  ];
}

function listEscapes(variants: readonly Variant[], lineOf: (variant: Variant) => Insertable): readonly Insertable[] {
  return variants
    .filter(({ outcome }) => outcome === 'escaped')
    .flatMap((variant) => [lineOf(variant), '', ...createDiffBlock({ text: variant.diff ?? '', omittedLines: 0 })]);
}

function countOutcome(variants: readonly Variant[], outcome: VariantOutcome): number {
  return variants.filter((variant) => variant.outcome === outcome).length;
}
