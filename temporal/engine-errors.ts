/**
 * The words for why a call to Temporal has failed: "Temporal said no", and "Temporal is not there". Everything else that a
 * call throws means that the outcome is not known.
 */

/** Thrown by RunEngine.start when trying again cannot help. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
}

/** Thrown by RunEngine.resume and cancel when Temporal cannot be reached or serves nobody: the call itself may be well. */
export class EngineAway extends Error {
  override readonly name = 'EngineAway';
}
