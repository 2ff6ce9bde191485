/** Descriptions that several fields share. */

export const ABOUT_MODEL_CREDENTIAL =
  "Id of the credential with the account to use; null: the deployment's managed model";
export const ABOUT_ASSIGNEES = 'Who may answer; null or empty: any member of the organization';
export const ABOUT_TOOL_CREDENTIAL = 'Id of the credential with the account to use; null: none';
