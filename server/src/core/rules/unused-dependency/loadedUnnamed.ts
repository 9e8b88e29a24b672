// Lists packages that are used although no text names them: compiled code, the platform, or a tool that searches
// node_modules loads them, or their installation has an effect. Plain data.

/** Names of single packages. */
export const LOADED_UNNAMED: ReadonlySet<string> = new Set([
  'tslib',
  'regenerator-runtime',
  '@swc/core',
  '@swc/helpers',
  'node-gyp',
  'node-gyp-build',
  'node-addon-api',
  'nan',
  'reflect-metadata',
  'encoding',
  'bufferutil',
  'utf-8-validate',
]);

/** Packages whose installation sets up git hooks in the repository. Other install scripts only build or download. */
export const HOOK_INSTALLERS: ReadonlySet<string> = new Set([
  'husky',
  'pre-commit',
  'pre-push',
  'pre-git',
  'ghooks',
  'git-hooks',
  'yorkie',
  'simple-git-hooks',
  'lefthook',
  '@evilmartians/lefthook',
  '@arkweid/lefthook',
]);

/** Names that cover the package itself and every package whose name begins with it and a hyphen. */
export const PACKAGE_FAMILIES: readonly string[] = [
  'core-js',
  '@babel/runtime',
  '@react-native-community/cli',
  'react-native',
  'expo',
];

/** Prefixes of names. Every package whose name is longer than one of them and begins with it is loaded. */
export const PACKAGE_PREFIXES: readonly string[] = [
  '@types/',
  '@capacitor/',
  '@nativescript/',
  '@expo/',
  '@electron-forge/',
  'karma-',
  'gulp-',
  'grunt-',
  'hubot-',
  'homebridge-',
  'cordova-',
  'capacitor-',
  'generator-',
  'pm2-',
  'metalsmith-',
  '@size-limit/',
  'size-limit-',
];
