// The short table before a night says what the charter does.

import { expect, test } from 'vitest';
import { decideApply } from '../../../server/src/core/charter/course.ts';
import { describeUnasked } from '../../../server/src/core/charter/unasked.ts';
import { AUTHOR_LABELS, AUTHORS } from '../../../server/src/core/model/authors.ts';
import { CLAIM_KINDS, FACTS_BY_CLAIM } from '../../../server/src/core/model/claims.ts';

const rows = describeUnasked();
const text = rows.map(({ what, becomes }) => `${what}: ${becomes}`);

test('it is short, and its last line is what waits', () => {
  expect(rows.length).toBeLessThan(6);
  expect(text.at(-1)).toMatch(/^All else, .*: waits for you$/);
});

test.each(AUTHORS)(
  'a line about %s for each claim, with the strengths that the charter accepts on a branch',
  (author) => {
    for (const claim of CLAIM_KINDS) {
      const courseOf = (strength: 'proven' | 'unchecked') =>
        decideApply({ claim, author, strength, approval: 'branch', onlyAdds: false, meetsRequirement: true });
      const ofAuthor = rows.filter(({ what }) => what.includes(AUTHOR_LABELS[author]));
      const row = ofAuthor.find(({ what }) => what.includes(FACTS_BY_CLAIM[claim].label)) ?? ofAuthor[0]!;
      expect(row.becomes.includes('proven')).toBe(courseOf('proven') === 'unasked');
      expect(row.becomes === 'is refused').toBe(courseOf('proven') === 'refused');
      expect(courseOf('unchecked')).not.toBe('unasked');
    }
  },
);
