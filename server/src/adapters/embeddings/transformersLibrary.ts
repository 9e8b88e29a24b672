// Defines the part of transformers.js that Selfware uses. https://huggingface.co/docs/transformers.js/api/env

export interface TransformersLibrary {
  readonly env: {
    localModelPath: string;
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    /** The server with the models, with a slash at its end. */
    remoteHost: string;
    cacheDir: string | null;
    fetch: (address: string | URL, init?: RequestInit) => Promise<Response>;
  };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: {
      readonly local_files_only: boolean;
      readonly progress_callback?: (progress: DownloadProgress) => void;
    },
  ): Promise<Extractor>;
}

/** Bytes of all files, if `status` is `progress_total`. */
export interface DownloadProgress {
  readonly status: string;
  readonly loaded?: number;
  readonly total?: number;
}

export interface Extractor {
  (
    texts: readonly string[],
    options: { readonly pooling: 'mean'; readonly normalize: boolean },
  ): Promise<{ readonly dims: readonly number[]; readonly data: ArrayLike<number> }>;
  /** Frees the memory of the model. */
  dispose?(): Promise<unknown>;
}
