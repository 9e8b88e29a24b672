// The display names of the ruler's categories.

import type { Category } from '../model.ts';

export const categoryLabels: Readonly<Record<Category, string>> = {
  codeQuality: 'Code quality',
  testCoverage: 'Test coverage',
  safety: 'Safety',
  performance: 'Performance',
  maintainability: 'Maintainability',
};
