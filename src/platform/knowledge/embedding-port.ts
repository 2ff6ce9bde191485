/** The port to embedding models; embeddings.ts implements it. */

/** The deployment's own model (`credentialId` null) or a model on the organization's account. */
export interface EmbeddingModel {
  readonly provider: string;
  readonly model: string;
  readonly credentialId: string | null;
  /** Requested length of the vectors; null for the model's own. */
  readonly dimensions: number | null;
}

export interface EmbeddingRequest {
  readonly organizationId: string;
  readonly model: EmbeddingModel;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

export interface EmbeddingResult {
  /** Vectors of the first texts in order, at least one, all of the same length; fewer than the texts if the model limits a request. */
  readonly vectors: readonly (readonly number[])[];
  /** As counted by the provider. */
  readonly tokens: number;
}

export interface EmbeddingPort {
  /**
   * Embeds texts without retries; an endpoint that rejects the number of texts gets fewer.
   * @throws NodeError with the provider's status and whether it is retryable; it never quotes a key
   */
  embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}
