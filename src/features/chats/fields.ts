/** Fields that recur in the schemas of this room, each with its description. */
import { uuid } from '../../platform/http/wire.ts';

export const credentialId = uuid.nullish().meta({
  description: "Id of the credential with the account to use; null: the deployment's managed model",
});
export const ABOUT_LLM = "The model to use; null: the deployment's managed model";
export const ABOUT_THREAD_ID = 'Id of the thread of the chat to continue; a new chat by default';
