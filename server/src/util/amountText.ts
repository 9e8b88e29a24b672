// Formats amounts of money for people.

/** An amount for people. The person chose the currency of the prices, so none is named. */
export function amountText(amount: number): string {
  if (amount === 0) return '0';
  return amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2);
}
