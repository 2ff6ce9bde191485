/** What a call of a model has used, as its provider tells it. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens?: number;
  /** Used on the organization's own account: not metered (SPEC API-credits). */
  readonly byok?: true;
}
