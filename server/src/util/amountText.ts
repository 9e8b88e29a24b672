// Formats amounts of money for people.

/** An amount for people. No currency is named, because the person has chosen that of the prices. */
export function amountText(amount: number): string {
  if (amount === 0) return '0';
  if (amount >= 0.01) return amount.toFixed(2);
  // `toPrecision` would write very small amounts with an exponent.
  return amount.toLocaleString('en-US', { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });
}
