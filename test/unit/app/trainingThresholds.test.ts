// When a training is due, by the settings and by the variables of the earlier design.

import { expect, test } from 'vitest';
import { readThresholds } from '../../../server/src/app/training/setUp.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';

const DEFAULTS = { learnings: 100, days: 7, success: 0.9, checkMinutes: 60 };

test('a variable counts where the setting has its default', () => {
  const env = {
    GENESIS_LEARNING_THRESHOLD: '50',
    GENESIS_TIME_THRESHOLD_DAYS: '0.5',
    GENESIS_PERFORMANCE_THRESHOLD: '',
  };
  const settings = { ...defaultSettings, 'learn.afterLearnings': 70 };
  expect(readThresholds(settings, env)).toEqual({ ...DEFAULTS, learnings: 70, days: 0.5, problems: [] });
});

test.each([
  // As milliseconds, this would be more than a timer holds, and the service would look without a pause.
  ['GENESIS_IMPROVEMENT_CHECK_INTERVAL', '86400'],
  ['GENESIS_IMPROVEMENT_CHECK_INTERVAL', '0.001'],
  ['GENESIS_LEARNING_THRESHOLD', 'many'],
  ['GENESIS_TIME_THRESHOLD_DAYS', '-1'],
  ['GENESIS_PERFORMANCE_THRESHOLD', '90'],
])('%s=%s is reported, and the default is used', (name, value) => {
  const problems = [expect.stringMatching(new RegExp(`^${name}: selfware\\.learn\\..*The default is used`))];
  expect(readThresholds(defaultSettings, { [name]: value })).toEqual({ ...DEFAULTS, problems });
});
