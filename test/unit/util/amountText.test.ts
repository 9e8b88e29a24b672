// Amounts of money for people.

import { expect, test } from 'vitest';
import { amountText } from '../../../server/src/util/amountText.ts';

test('amounts have two digits, and never an exponent', () => {
  const amounts = [0, 1e-7, 2.34e-5, 0.0012, 0.01, 1.005, 1234.5];
  expect(amounts.map(amountText)).toEqual(['0', '0.00000010', '0.000023', '0.0012', '0.01', '1.00', '1234.50']);
});
