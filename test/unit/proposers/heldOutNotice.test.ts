// What is said before held-out examples leave this machine covers what is recorded as agreed to.

import { expect, test } from 'vitest';
import { formatHeldOutNotice } from '../../../server/src/core/proposers/sentDataNotice.ts';

test('code of other repositories is named if it is agreed to', () => {
  const destination = 'example.org';
  expect(formatHeldOutNotice({ destination, sends: ['excerpts'] })).toBe(
    'Held-out examples go to example.org. It may have code of this repository, in any question.',
  );
  expect(formatHeldOutNotice({ destination, sends: ['excerpts', 'references'] })).toContain(
    'code of other repositories',
  );
});
