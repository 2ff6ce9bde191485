/** Fields that recur in the schemas of this room, each with its description. */
import { z } from 'zod';
import { uuid } from '../../platform/http/wire.ts';

const credentialId = uuid.nullish().meta({
  description: "Id of the credential with the account to use; null: the deployment's managed model",
});
/** The chat to continue; a new one by default. */
export const chatThreadId = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({ description: 'Id of the thread of the chat to continue; a new chat by default' });
export const chosenModel = z
  .object({
    provider: z.string().min(1).max(50).nullish().meta({ description: 'Name of the model provider' }),
    model: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .meta({ description: "Name of the model, in the provider's spelling" }),
    credential_id: credentialId,
  })
  .nullish()
  .meta({ description: "The model to use; null: the deployment's managed model" });
