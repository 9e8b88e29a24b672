// Measures how far the nights of a repository have shown that Selfware improves itself there: one point for each
// ability.

import type { Night } from '../nightTypes.ts';
import { collectNightFigures } from './nightFigures.ts';
import { HOUR_MS } from '../../../util/timing/durations.ts';

/** Minimum number of judged proposals. A share of fewer says little. */
const MIN_JUDGED = 20;
/** Minimum number of committed changes. A share of fewer says little. */
const MIN_COMMITTED = 10;
/** Minimum number of judged variants. Fewer say little. */
const MIN_VARIANTS = 10;

/** The abilities that a repository has shown and not shown. Its level is the number of those shown. */
export interface SelfImprovementLevel {
  /** The abilities that the nights have shown, as phrases. */
  readonly shown: readonly string[];
  /** The abilities that the nights have not shown, as phrases. */
  readonly notShown: readonly string[];
}

interface Ability {
  /** A phrase such as “fulfil a request”. */
  readonly label: string;
  isShown(nights: readonly Night[]): boolean;
}

const ABILITIES: readonly Ability[] = [
  {
    label: 'commit a change that passes every check',
    isShown: (nights) => nights.some(({ changes }) => changes.length),
  },
  {
    label: 'improve more than points',
    isShown: (nights) => collectChanges(nights).some(({ claim }) => claim !== null && claim.kind !== 'points'),
  },
  {
    label: 'make changes that a person takes',
    isShown: (nights) => nights.some(({ decided }) => decided === 'accepted' || decided === 'squashed'),
  },
  {
    label: 'fulfil a request',
    isShown: (nights) => nights.some(({ wishes }) => wishes.some(({ done, isDropped }) => done && !isDropped)),
  },
  {
    label: 'make use of a model or an agent',
    isShown: (nights) => collectChanges(nights).some(({ author }) => author === 'model' || author === 'agent'),
  },
  {
    label: `let more than 70 % of at least ${MIN_JUDGED} proposals pass`,
    isShown: (nights) => {
      const { passed } = collectNightFigures(nights);
      return passed.of >= MIN_JUDGED && passed.count / passed.of > 0.7;
    },
  },
  {
    label: `roll back fewer than 20 % of at least ${MIN_COMMITTED} changes`,
    isShown: (nights) => {
      const { rolledBack } = collectNightFigures(nights);
      return rolledBack.of >= MIN_COMMITTED && rolledBack.count / rolledBack.of < 0.2;
    },
  },
  {
    label: 'work for eight hours without needing a person',
    isShown: (nights) =>
      nights.some((night) => night.unusual.length === 0 && collectNightFigures([night]).workedMs >= 8 * HOUR_MS),
  },
  {
    label: `notice all of at least ${MIN_VARIANTS} changes that were made worse on purpose`,
    isShown: (nights) => {
      const judgedVariants = nights.flatMap(({ variants }) =>
        variants.filter(({ outcome, isBeside }) => outcome !== 'unknown' && !isBeside),
      );
      return judgedVariants.length >= MIN_VARIANTS && judgedVariants.every(({ outcome }) => outcome === 'caught');
    },
  },
  {
    label: 'continue with a new version of Selfware',
    isShown: (nights) => nights.some(({ upgrades }) => upgrades.some(({ step }) => step === 'kept')),
  },
];

/** The largest level: the number of abilities. */
export const MAX_LEVEL = ABILITIES.length;

/** The abilities that these nights have shown. The level is their number. */
export function findSelfImprovementLevel(nights: readonly Night[]): SelfImprovementLevel {
  const listLabels = (isShown: boolean) =>
    ABILITIES.filter((ability) => Boolean(ability.isShown(nights)) === isShown).map(({ label }) => label);
  return { shown: listLabels(true), notShown: listLabels(false) };
}

function collectChanges(nights: readonly Night[]): Night['changes'] {
  return nights.flatMap(({ changes }) => changes);
}
