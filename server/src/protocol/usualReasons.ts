// The reasons for a rejection that an editor offers. The server does not take them for a person's own words.

/** As they are recorded. */
export const USUAL_REASONS = {
  fine: 'It reads better as it is.',
  wrong: 'The change is wrong.',
  leftAlone: 'The file is to be left alone.',
} as const;
