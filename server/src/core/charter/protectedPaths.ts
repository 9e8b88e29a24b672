// Files that no proposal may touch, whatever the settings say (S0.22). Patterns as in gitignore(5), letter case ignored.

/**
 * A name without a slash protects files and folders of that name at any depth. Everything here decides what is run, what is
 * checked or who may do what: a change of it could make any other change look good.
 */
export const builtInProtectedPaths: readonly string[] = [
  // Version control and its hooks.
  ...['.git', '.gitattributes', '.gitignore', '.gitmodules', '.hg', '.svn', '.jj', '.husky', '.githooks', 'CODEOWNERS'],
  ...['.pre-commit-config.y*ml', '.pre-commit-hooks.y*ml', 'lefthook*.y*ml', '.lefthook*', '.lintstagedrc*', 'lint-staged.config.*', 'commitlint.config.*', '.commitlintrc*'],
  // Selfware's own charter and settings, and those of the editor.
  ...['.selfware', '.selfwareignore', '.vscode', '.idea', '.devcontainer', '*.code-workspace'],
  // Continuous integration and deployment.
  ...['.github', '.gitlab', '.gitlab-ci*.y*ml', '.ci', '.circleci', '.buildkite', '.woodpecker*', '.teamcity', '.drone.y*ml', '.travis.y*ml', '.appveyor.y*ml', 'appveyor.y*ml'],
  ...['azure-pipelines*.y*ml', 'bitbucket-pipelines.y*ml', 'Jenkinsfile*', 'cloudbuild.y*ml', 'buildspec.y*ml', 'codecov.y*ml', '.codecov.y*ml', 'renovate.json*', 'sonar-project.properties'],
  ...['Dockerfile*', '*.dockerfile', 'Containerfile*', '.dockerignore', 'docker-compose*.y*ml', 'docker-bake.*', 'Procfile', 'fly.toml', 'vercel.json', 'netlify.toml', 'serverless.y*ml', '*.tf', '*.tfvars', 'Vagrantfile'],
  // Manifests and lock files.
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.y*ml', 'pnpm-workspace.y*ml', 'bun.lock*', 'bunfig.toml', 'deno.json*', 'deno.lock', 'jsr.json*'],
  ...['lerna.json', 'nx.json', 'project.json', 'turbo.json*', 'rush.json', 'node_modules', 'bower.json', 'composer.json', 'composer.lock', 'Gemfile*', '*.gemspec', 'Rakefile'],
  ...['Cargo.toml', 'Cargo.lock', '.cargo', 'build.rs', 'rust-toolchain*', 'go.mod', 'go.sum', 'go.work*', '*.csproj', '*.sln', 'Directory.Build.*', 'mix.exs', 'mix.lock', 'Package.swift', 'Package.resolved'],
  ...['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements*.txt', 'constraints*.txt', 'Pipfile*', 'poetry.lock', 'poetry.toml', 'uv.lock', 'uv.toml', 'pdm.lock', 'environment.y*ml', 'MANIFEST.in', 'sitecustomize.py'],
  ...['pom.xml', '.mvn', 'mvnw*', 'build.gradle*', 'settings.gradle*', 'gradle.properties', 'gradlew*', 'gradle-wrapper.*', 'libs.versions.toml', 'build.sbt'],
  ...['CMakeLists.txt', 'CMakePresets.json', '*.cmake', 'Makefile*', 'GNUmakefile', '*.mk', 'meson.build', 'meson_options.txt', 'configure.ac', 'conanfile.*', 'vcpkg*.json', 'BUILD.bazel', '*.bzl', 'MODULE.bazel*', 'WORKSPACE.bazel', '.bazelrc', 'justfile', 'Taskfile.y*ml'],
  // Type checkers, linters and formatters.
  ...['tsconfig*.json', 'jsconfig*.json', '.eslintrc*', '.eslintignore', 'eslint.config.*', 'biome.json*', '.oxlintrc*', 'oxlint.config.*', '.prettierrc*', '.prettierignore', 'prettier.config.*', '.stylelintrc*', 'stylelint.config.*', '.editorconfig', 'knip.*', '.jshintrc', 'tslint.json'],
  ...['.pylintrc', 'pylintrc', '.flake8', 'ruff.toml', '.ruff.toml', 'mypy.ini', '.mypy.ini', 'pyrightconfig.json', '.golangci.*', 'clippy.toml', '.clippy.toml', 'rustfmt.toml', '.rustfmt.toml', 'deny.toml', '.clang-format', '.clang-tidy', 'checkstyle*.xml', '.rubocop*'],
  // Tests, coverage and builds.
  ...['vitest.config.*', 'vitest.workspace.*', 'vitest.setup.*', 'jest.config.*', 'jest.setup.*', '.mocharc*', 'ava.config.*', 'karma.conf.*', 'playwright.config.*', 'cypress.config.*', 'wdio.conf.*', '.nycrc*', '.c8rc*', 'stryker.conf*', '.taprc', '.vscode-test*'],
  ...['pytest.ini', 'tox.ini', 'noxfile.py', 'conftest.py', '.coveragerc', 'phpunit.xml*', 'nextest.toml', 'tarpaulin.toml'],
  ...['vite.config.*', 'webpack.config.*', 'rollup.config.*', 'rolldown.config.*', 'rspack.config.*', 'esbuild.config.*', '/esbuild.*', 'tsup.config.*', 'tsdown.config.*', 'babel.config.*', '.babelrc*', '.swcrc', 'next.config.*', 'nuxt.config.*', 'svelte.config.*', 'astro.config.*', 'metro.config.*', 'gulpfile.*', 'Gruntfile.*', '.browserslistrc'],
  // Tool versions, registries, secrets.
  ...['.npmrc', '.npmignore', '.yarnrc*', '.yarn', '.pnpmfile.*', '.pnp.*', '.nvmrc', '.node-version', '.python-version', '.ruby-version', '.tool-versions', 'mise.toml', '.mise.toml', '.pypirc', 'pip.conf'],
  ...['.env*', '.netrc', '.ssh', '.aws', '.gnupg', '*.pem', '*.key', '*.p12', '*.pfx', '*.keystore', 'id_rsa*', 'id_ed25519*', '.htpasswd'],
];

/** Selfware's own safety code, ruler and entry points: protected in Selfware's own repository. */
export const ownSafetyPaths: readonly string[] = [
  ...['charter', 'apply', 'verify', 'ledger', 'score'].map((room) => `/server/src/core/${room}/`),
  ...['files', 'git', 'sandbox', 'sqlite'].map((adapter) => `/server/src/adapters/${adapter}/`),
  ...['/server/src/core/cycle.ts', '/server/src/core/ports.ts', '/server/src/core/indexPorts.ts', '/server/src/core/session/'],
  ...['/server/src/main.ts', '/server/src/cli.ts', '/server/src/app/', '/server/src/settings/', '/client/src/extension.ts'],
  // What counts for the ruler: a change here would move the points without a new version.
  ...['script', 'metrics', 'tree', 'rules', 'project', 'duplicates'].map((folder) => `/server/src/core/analysis/${folder}/`),
  ...['/server/src/core/analysis/inventory.ts', '/server/src/core/analysis/testFile.ts', '/server/src/core/index/generated.ts'],
  ...['/server/src/core/index/topComment.ts', '/server/src/core/index/vendored.ts'],
  ...['/test/tidy/', '/test/kill/', '/test/bench/', '/test/unit/score/', '/test/fixtures/gaming/', '/scripts/', '/esbuild.mjs'],
];
