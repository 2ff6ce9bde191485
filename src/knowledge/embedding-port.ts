/** What the knowledge base asks of a model that turns texts into vectors. The calls behind it are made in embeddings.ts. */

/** Who embeds: the deployment's own model (`credentialId` null) or a model on the organization's account. */
export interface EmbeddingModel {
  readonly provider: string;
  readonly model: string;
  readonly credentialId: string | null;
  /** The length of its vectors, where the model lets one choose; null: its own. */
  readonly dimensions: number | null;
}

export interface EmbeddingRequest {
  readonly organizationId: string;
  readonly model: EmbeddingModel;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

export interface Embedded {
  /** Of the first texts, as many as the model takes at once: at least one; in their order, all of one length. */
  readonly vectors: readonly (readonly number[])[];
  /** As the provider counts them. */
  readonly tokens: number;
}

export interface EmbeddingPort {
  /**
   * One answer, no retries: an endpoint that refuses the number of texts is sent fewer.
   * @throws NodeError with the provider's status and whether trying again can help; never quotes a key
   */
  embed(request: EmbeddingRequest): Promise<Embedded>;
}
