// The reasons for a rejection that an editor offers. The server does not treat them as a person's own words.

/** The reasons, as the ledger records them. */
export const USUAL_REASONS = {
  fine: 'It reads better as it is.',
  wrong: 'The change is wrong.',
  leftAlone: 'The file is to be left alone.',
} as const;
