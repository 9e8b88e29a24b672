// Lists the optional components: large libraries that a person installs on request. They are not part of Selfware's
// package.

/** The name of a component, as in `selfware models install NAME`. */
export type ComponentName = 'local' | 'embeddings';

/** An optional component. */
export interface Component {
  readonly name: ComponentName;
  /** The purpose of the component, as the end of a sentence. */
  readonly purpose: string;
  /** The package that Selfware loads. */
  readonly library: string;
  /** The tested packages with their exact versions (`NAME@VERSION`). The library comes first. */
  readonly packages: readonly string[];
  /** True if the optional dependencies of the packages are also installed. */
  readonly optional: boolean;
  /** Size of the installed folder on Linux in megabytes, to give a person an idea of the cost. */
  readonly megabytes: number;
  /** The setting that names another folder with the library. */
  readonly setting: string;
}

const LLAMA_VERSION = '3.22.1';

/** Platforms for which npm has binaries of node-llama-cpp that need no graphics card. */
const LLAMA_BINARIES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'linux-riscv64': 'linux-riscv64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** The components for a platform, such as `linux-x64`. */
export function listComponents(platform: string): Readonly<Record<ComponentName, Component>> {
  const binary = LLAMA_BINARIES[platform];
  return {
    local: {
      name: 'local',
      purpose: 'run a model from a GGUF file (`--proposer gguf:PATH`)',
      library: 'node-llama-cpp',
      // Names the binary itself, because npm would otherwise also fetch 600 MB of binaries for graphics cards.
      packages: [
        `node-llama-cpp@${LLAMA_VERSION}`,
        ...(binary === undefined ? [] : [`@node-llama-cpp/${binary}@${LLAMA_VERSION}`]),
      ],
      optional: binary === undefined,
      megabytes: 90,
      setting: 'models.localLibrary',
    },
    embeddings: {
      name: 'embeddings',
      purpose: 'compute vectors of code with an ONNX model (`memory.embedder`: `transformers`)',
      library: '@huggingface/transformers',
      packages: ['@huggingface/transformers@4.3.1'],
      optional: true,
      megabytes: 475,
      setting: 'memory.embedderLibrary',
    },
  };
}

/** The components for this machine. */
export const COMPONENTS = listComponents(`${process.platform}-${process.arch}`);
