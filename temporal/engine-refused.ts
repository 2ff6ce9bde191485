/** The word for "Temporal said no": everything else that a call throws means that the outcome is not known. */

/** Thrown by RunEngine.start when trying again cannot help. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
}
