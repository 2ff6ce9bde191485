/** Topping the wallet up through a payment provider, as the API sees it. What stands behind it is built at start. */

export interface TopupRequest {
  readonly organizationId: string;
  /** The organization at the provider, once it has paid there. */
  readonly customerId: string | null;
  /** Whole credits; 100 are one currency unit (specification, "Credits"). */
  readonly credits: number;
}

export interface StartedTopup {
  /** Where the person pays. The wallet moves when the provider confirms (wallet.ts, creditTopup). */
  readonly checkoutUrl: string;
}

export interface TopupPort {
  begin(request: TopupRequest): Promise<StartedTopup>;
}
