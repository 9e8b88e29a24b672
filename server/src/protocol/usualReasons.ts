// The reasons for a rejection that an editor offers; the server does not take them for a person's own words.

export { USUAL_REASONS } from '../util/values/usualReasons.ts';
