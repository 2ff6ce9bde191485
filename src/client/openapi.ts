/** Written by `npm run docs` from the OpenAPI document; do not edit. 1c7497b3d6833e84b4bdd5b986dd2c728376624f02bbfa402748bdb9fae548fe */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Service root
         * @description No credential is read.
         */
        get: operations["getServiceRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness; asks nothing else
         * @description No credential is read.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for operators in the Prometheus format; without X-Health-API-Key there is nothing here
         * @description No credential is read.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/health/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health report for operators; needs X-Health-API-Key
         * @description No credential is read.
         */
        get: operations["getHealthReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getWorkflow"];
        /**
         * Change the supplied fields of a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        put: operations["putWorkflow"];
        post?: never;
        /**
         * Delete a workflow, its deployments and its edit history
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateWorkflow"];
        trace?: never;
    };
    "/workflows/{workflow_id}/nodes/{node_id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make what a node came to in a past run its fixed output in the draft
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["pinNode"];
        /**
         * Let a node of the draft work again
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["unpinNode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the live deployment of a workflow, or an inline definition
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/listen/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a run
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listenToRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/resume/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the questions of an interrupted run
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/cancel/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description For members of the organization in X-Organization-ID.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the history of runs, newest first
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/interrupts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open questions of the organization, newest first
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listInterrupts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the record of a run by its history id
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the definition that a run has walked
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getRunDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/compare/{other_run_pk}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two runs node by node
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/nodes/{node_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run one node of the draft alone, in private
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["testNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a run again from any of its nodes, and reuse what is known
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["rerunRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/steps/{step_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one step with its full values
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getRunStep"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploy the workflow as it stands and make that snapshot live
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["deployWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deployments of a workflow, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listDeployments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take the live deployment off
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deactivateLiveDeployment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments/{deployment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a deployment with its snapshot
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        /**
         * Delete a deployment; the one before a live one becomes live
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteDeployment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments/{deployment_id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a deployment live; the draft stays as it is
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        put: operations["activateDeployment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's organizations
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization; the caller becomes its owner
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the supplied settings of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/organizations/{organization_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a member out of the organization, or leave it; access ends at once
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member; owners are made and unmade by owners
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/organizations/{organization_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending invitations of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite an address as an admin; 200 for one that is invited already
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_id}/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a pending invitation
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/my": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pending invitations to the caller's verified address; none for API keys, which vouch for no address
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listMyInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/{invitation_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation; needs a token with a verified address
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credentials of the organization, newest first
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Store an account of another service; its secret is encrypted and never returned
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the authorization of an account at its provider
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["startAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an authorization with what the provider sent the browser back with
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["finishAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a credential, without its secret
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getCredential"];
        put?: never;
        post?: never;
        /**
         * Delete a credential that no workflow and no knowledge base uses
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        /**
         * Change a credential: its name, its data as a whole, its hosts, or revoke it
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateCredential"];
        trace?: never;
    };
    "/credentials/{credential_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a credential with one harmless request
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["testCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credential_id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that the MCP server of a credential offers
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listCredentialTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the integration catalog, without the schemas of actions
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an integration with the schemas of its actions
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's API keys, revoked ones included
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; the answer holds the key itself, once
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API key
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key for good
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The authenticated user
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's organizations and the role in each
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listMyOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/composer/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's composer chats, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listComposerChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/composer/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of the caller's composer chats
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getComposerChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat and what its models remember; the records of its runs stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteComposerChat"];
        options?: never;
        head?: never;
        /**
         * Name or pin a chat
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateComposerChat"];
        trace?: never;
    };
    "/composer/chats/{chat_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was said in a chat, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listComposerMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistant/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's assistant chats, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listAssistantChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistant/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of the caller's assistant chats
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getAssistantChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat and what its models remember; the records of its runs stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteAssistantChat"];
        options?: never;
        head?: never;
        /**
         * Name or pin a chat
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateAssistantChat"];
        trace?: never;
    };
    "/assistant/chats/{chat_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was said in a chat, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listAssistantMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistant/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to the Assistant and follow its answer at stream_url
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["sendAssistantMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/composer/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a workflow written, or changed, and follow that at stream_url
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["sendComposerMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the organization's plan, credits and wallet
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/wallet/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what moved the wallet, newest first
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listWalletLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/wallet/extra-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the use of the wallet beyond the month's allowance on or off
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["setExtraUsage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/wallet/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a payment into the wallet
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["startTopup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stripe's events, signed with the secret of the webhook endpoint
         * @description No credential is read.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules of the organization, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Run a workflow at set times: its live deployment at each of them
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a schedule
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule; the records of its runs stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of a schedule
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/schedules/{schedule_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop firing until it is resumed
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire again from now on
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire now, under the overlap policy of the schedule; its run shows up in its runs
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["triggerSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a schedule, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listScheduleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for support
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/support": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for support (deprecated alias of POST /requests)
         * @deprecated
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createSupportRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the knowledge bases of the organization, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listKnowledgeBases"];
        put?: never;
        /**
         * Create a knowledge base: managed, or on the organization's own account
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["createKnowledgeBase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a knowledge base and its counts
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getKnowledgeBase"];
        put?: never;
        post?: never;
        /**
         * Delete a knowledge base with its documents
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteKnowledgeBase"];
        options?: never;
        head?: never;
        /**
         * Change a knowledge base; its config only while it has no documents
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateKnowledgeBase"];
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the passages of a knowledge base that are nearest to a query
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["searchKnowledgeBase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a knowledge base, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Upload a document; the same content is the same document
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document: how far its ingest is, or why it failed
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document and its chunks
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents/{document_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a failed document in once more
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["retryDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents/{document_id}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chunks of a document, in their order
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listDocumentChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description No credential is read.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AgentToolOptions: {
            /** @enum {string} */
            kind: "http" | "integration" | "mcp" | "workflow" | "knowledge";
            name?: string | null;
            description?: string | null;
            input_schema?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            parameters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /**
             * @default auto
             * @enum {string}
             */
            usage?: "auto" | "force" | "none";
            approval?: ("never" | "always") | null;
            approval_timeout_seconds?: number | null;
            approval_assignees?: {
                /** @default [] */
                roles?: string[];
                /** @default [] */
                user_ids?: string[];
            } | null;
        };
        AgentTool: components["schemas"]["AgentToolOptions"] & Omit<components["schemas"]["HttpToolConfig"] | components["schemas"]["IntegrationToolConfig"] | components["schemas"]["McpToolConfig"] | components["schemas"]["WorkflowToolConfig"] | components["schemas"]["KnowledgeToolConfig"], "kind">;
        KnowledgeToolConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "knowledge";
            knowledge_base_ids: string[];
            /** @default 5 */
            top_k?: number;
            /** @default 0 */
            min_score?: number;
            filters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /**
             * @default vector
             * @constant
             */
            search_mode?: "vector";
            /** @default true */
            include_content?: boolean;
            /** @default true */
            include_metadata?: boolean;
        };
        GuardrailCheck: components["schemas"]["PiiGuardrailCheck"] | components["schemas"]["SecretKeysGuardrailCheck"] | components["schemas"]["KeywordsGuardrailCheck"] | components["schemas"]["RegexGuardrailCheck"] | components["schemas"]["UrlsGuardrailCheck"] | components["schemas"]["JsonSchemaGuardrailCheck"] | components["schemas"]["MaxLengthGuardrailCheck"] | components["schemas"]["ModerationGuardrailCheck"] | components["schemas"]["JailbreakGuardrailCheck"] | components["schemas"]["TopicGuardrailCheck"] | components["schemas"]["GroundingGuardrailCheck"] | components["schemas"]["CustomGuardrailCheck"];
        LlmNodeConfig: {
            provider: string;
            model: string;
            credential_id?: string | null;
            messages: {
                /** @enum {string} */
                role: "system" | "user" | "assistant";
                content: components["schemas"]["Json"];
            }[];
            parameters?: {
                temperature?: number | null;
                max_output_tokens?: number | null;
                reasoning_effort?: string | null;
            } | null;
            response_format?: {
                /** @enum {string} */
                type: "text" | "json_object" | "json_schema";
                strict?: boolean;
                /** @description JSON Schema */
                schema?: {
                    [key: string]: components["schemas"]["Json"];
                };
            } | null;
            memory?: {
                /**
                 * @default none
                 * @enum {string}
                 */
                mode?: "none" | "thread" | "window";
                max_messages?: number | null;
                max_tokens?: number | null;
            } | null;
            /** @default true */
            stream?: boolean;
        };
        ToolNodeConfig: components["schemas"]["HttpToolConfig"] | components["schemas"]["IntegrationToolConfig"] | components["schemas"]["McpToolConfig"] | components["schemas"]["WorkflowToolConfig"];
        AgentNodeConfig: {
            provider: string;
            model: string;
            credential_id?: string | null;
            messages: {
                /** @enum {string} */
                role: "system" | "user" | "assistant";
                content: components["schemas"]["Json"];
            }[];
            parameters?: {
                temperature?: number | null;
                max_output_tokens?: number | null;
                reasoning_effort?: string | null;
            } | null;
            response_format?: {
                /** @enum {string} */
                type: "text" | "json_object" | "json_schema";
                strict?: boolean;
                /** @description JSON Schema */
                schema?: {
                    [key: string]: components["schemas"]["Json"];
                };
            } | null;
            memory?: {
                /**
                 * @default none
                 * @enum {string}
                 */
                mode?: "none" | "thread" | "window";
                max_messages?: number | null;
                max_tokens?: number | null;
            } | null;
            /** @default true */
            stream?: boolean;
            tools?: components["schemas"]["AgentTool"][] | null;
            /** @default 10 */
            max_iterations?: number;
            /** @default 30 */
            max_tool_calls?: number;
            /** @default true */
            parallel_tool_calls?: boolean;
        };
        FunctionNodeConfig: {
            /**
             * @default javascript
             * @constant
             */
            language?: "javascript";
            code: string;
            arguments?: components["schemas"]["Json"] | null;
            output_schema?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            limits?: {
                /** @default 5000 */
                timeout_ms?: number;
                /** @default 128 */
                memory_mb?: number;
            } | null;
            /**
             * @default none
             * @constant
             */
            network?: "none";
        };
        ConditionalNodeConfig: components["schemas"]["RulesConditionalConfig"] | components["schemas"]["LlmConditionalConfig"];
        InterruptNodeConfig: components["schemas"]["ApprovalInterruptConfig"] | components["schemas"]["InputInterruptConfig"] | components["schemas"]["WaitInterruptConfig"];
        TransformerNodeConfig: components["schemas"]["MapTransformerConfig"] | components["schemas"]["ListTransformerConfig"] | components["schemas"]["TemplateTransformerConfig"] | components["schemas"]["MergeTransformerConfig"];
        GuardrailsNodeConfig: {
            input: components["schemas"]["Json"];
            context?: components["schemas"]["Json"] | null;
            checks: components["schemas"]["GuardrailCheck"][];
            /**
             * @default fail
             * @constant
             */
            on_check_error?: "fail";
            provider?: string | null;
            model?: string | null;
            credential_id?: string | null;
        };
        KnowledgeNodeConfig: {
            knowledge_base_ids: string[];
            /** @default 5 */
            top_k?: number;
            /** @default 0 */
            min_score?: number;
            filters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /**
             * @default vector
             * @constant
             */
            search_mode?: "vector";
            /** @default true */
            include_content?: boolean;
            /** @default true */
            include_metadata?: boolean;
            query: string;
        };
        HttpToolConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "http";
            /**
             * @description `GET` when left out
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
            url: string;
            headers?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            query?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            body?: components["schemas"]["Json"] | null;
            credential_id?: string | null;
            fail_on_status?: number[] | null;
            effect?: ("at_least_once" | "at_most_once") | null;
            idempotent?: boolean | null;
        };
        IntegrationToolConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "integration";
            integration: string;
            integration_version?: string | null;
            action: string;
            credential_id?: string | null;
            parameters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
        };
        McpToolConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "mcp";
            server_url?: string | null;
            tool: string;
            arguments?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            credential_id?: string | null;
            fingerprint?: string | null;
        };
        WorkflowToolConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "workflow";
            /** Format: uuid */
            workflow_id: string;
            /** @default live */
            deployment?: string;
            input?: components["schemas"]["Json"] | null;
            /** @default true */
            wait?: boolean;
        };
        RulesConditionalConfig: {
            /**
             * @default rules
             * @constant
             */
            mode?: "rules";
            cases: ({
                /** @description The handle that the case selects */
                id: string;
                label?: string;
            } & (components["schemas"]["RuleGroup"] | components["schemas"]["Rule"]))[];
            /** @default else */
            default?: string;
        };
        LlmConditionalConfig: {
            /** @constant */
            mode: "llm";
            provider: string;
            model: string;
            credential_id?: string | null;
            input: components["schemas"]["Json"];
            cases: {
                id: string;
                /** @default  */
                description?: string;
                /** @default  */
                label?: string;
            }[];
            /** @default else */
            default?: string;
        };
        ApprovalInterruptConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "approval";
            /** @default  */
            title?: string;
            /** @default  */
            message?: string;
            payload?: components["schemas"]["Json"] | null;
            form?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            assignees?: {
                /** @default [] */
                roles?: string[];
                /** @default [] */
                user_ids?: string[];
            } | null;
            /** @default 1 */
            required_responses?: number;
            timeout_seconds?: number | null;
            /**
             * @default fail
             * @enum {string}
             */
            on_timeout?: "fail" | "branch" | "default";
            default_response?: {
                action?: string | null;
                data?: components["schemas"]["Json"] | null;
            } | null;
            actions: {
                id: string;
                label?: string;
            }[];
        };
        InputInterruptConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "input";
            /** @default  */
            title?: string;
            /** @default  */
            message?: string;
            payload?: components["schemas"]["Json"] | null;
            form?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            assignees?: {
                /** @default [] */
                roles?: string[];
                /** @default [] */
                user_ids?: string[];
            } | null;
            /** @default 1 */
            required_responses?: number;
            timeout_seconds?: number | null;
            /**
             * @default fail
             * @enum {string}
             */
            on_timeout?: "fail" | "branch" | "default";
            default_response?: {
                action?: string | null;
                data?: components["schemas"]["Json"] | null;
            } | null;
        };
        WaitInterruptConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "wait";
            duration_seconds?: (number | string) | null;
            until?: string | null;
        };
        MapTransformerConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            mode: "map";
            fields: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        ListTransformerConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            mode: "list";
            source: components["schemas"]["Json"];
            filter?: components["schemas"]["Rules"] | null;
            sort?: {
                /** @default  */
                by?: string;
                /**
                 * @default asc
                 * @enum {string}
                 */
                order?: "asc" | "desc";
            }[] | null;
            limit?: number | null;
            select?: components["schemas"]["Json"] | null;
        };
        TemplateTransformerConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            mode: "template";
            template: string;
            /**
             * @default text
             * @enum {string}
             */
            parse_as?: "text" | "json";
        };
        MergeTransformerConfig: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            mode: "merge";
            sources: components["schemas"]["Json"][];
            /**
             * @default first_non_null
             * @enum {string}
             */
            strategy?: "first_non_null" | "concat" | "deep_merge";
        };
        PiiGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pii";
            /**
             * @default [
             *       "EMAIL",
             *       "PHONE",
             *       "CREDIT_CARD",
             *       "SSN",
             *       "IBAN",
             *       "IP_ADDRESS"
             *     ]
             */
            entities?: ("EMAIL" | "PHONE" | "CREDIT_CARD" | "SSN" | "IBAN" | "IP_ADDRESS")[];
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        SecretKeysGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "secret_keys";
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        KeywordsGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keywords";
            keywords: string[];
            /** @default false */
            case_sensitive?: boolean;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        RegexGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "regex";
            pattern: string;
            /**
             * @default no_match
             * @enum {string}
             */
            expect?: "match" | "no_match";
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        UrlsGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "urls";
            /** @default [] */
            allowed_hosts?: string[];
            /**
             * @default [
             *       "https",
             *       "http"
             *     ]
             */
            allowed_schemes?: string[];
            /** @default true */
            allow_subdomains?: boolean;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        JsonSchemaGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "json_schema";
            /** @description JSON Schema */
            schema: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        MaxLengthGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "max_length";
            max: number;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        ModerationGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "moderation";
            /** @default [] */
            categories?: string[];
            /** @default 0.7 */
            threshold?: number;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        JailbreakGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jailbreak";
            /** @default 0.7 */
            threshold?: number;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        TopicGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "topic";
            topics: string[];
            /** @default 0.7 */
            threshold?: number;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        GroundingGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "grounding";
            knowledge_base_ids?: string[];
            /** @default 5 */
            top_k?: number;
            /** @default 0.7 */
            threshold?: number;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        CustomGuardrailCheck: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom";
            instructions: string;
            /** @default 0.7 */
            threshold?: number;
            /**
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        /** @description Where it stands on the canvas */
        CanvasPosition: {
            x: number;
            y: number;
        };
        /** @description How often a failure that may pass is tried again */
        NodeRetry: {
            /** @description The kind decides when left out */
            max_attempts?: number;
            /**
             * @description Before the second attempt
             * @default 1000
             */
            initial_interval_ms?: number;
            /** @default 2 */
            backoff_coefficient?: number;
            /**
             * @description Between two attempts at most
             * @default 30000
             */
            max_interval_ms?: number;
        };
        /** @description Runs the node once for each item */
        NodeForEach: {
            /** @description An array, or a template of one */
            items: string | components["schemas"]["Json"][];
            /**
             * @description The root of the item in templates
             * @default item
             */
            as?: string;
            /** @default 5 */
            max_concurrency?: number;
            /** @default 1000 */
            max_items?: number;
            /**
             * @default fail
             * @enum {string}
             */
            on_item_error?: "fail" | "continue" | "drop";
        };
        /** @description A fixed output in place of the work */
        NodeMock: {
            /** @default false */
            enabled?: boolean;
            output?: components["schemas"]["Json"];
        };
        /** @description A comparison; what tells of one side alone has no `right` */
        Rule: {
            left: components["schemas"]["Json"];
            /** @enum {string} */
            op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "in" | "not_in" | "is_empty" | "is_not_empty" | "exists" | "not_exists" | "is_true" | "is_false";
            right?: components["schemas"]["Json"];
        };
        /** @description Rules of which all or any must hold */
        RuleGroup: {
            /**
             * @default all
             * @enum {string}
             */
            match?: "all" | "any";
            rules: (components["schemas"]["RuleGroup"] | components["schemas"]["Rule"])[];
        };
        Rules: components["schemas"]["RuleGroup"] | components["schemas"]["Rule"] | (components["schemas"]["RuleGroup"] | components["schemas"]["Rule"])[];
        Edge: {
            id?: string;
            /** @description Id of a node, or `__start__` */
            source: string;
            /** @description Id of a node, or `__end__` */
            target: string;
            /**
             * @description `default`, `error`, `timeout`, `else`, `pass`, `fail`, a case or an action
             * @default default
             */
            source_handle?: string;
            when?: components["schemas"]["Rules"];
        };
        StateField: {
            type?: string;
            /**
             * @description Replaces, appends to an array, or merges objects
             * @default none
             * @enum {string}
             */
            reducer?: "none" | "add" | "update";
            default?: components["schemas"]["Json"];
        };
        /** @description Where the fields of the same names at the workflow come from */
        WorkflowMetadata: {
            name?: string;
            description?: string | null;
            version?: string | null;
            tags?: string[] | null;
        };
        /** @description Of every run; `output` is the template of a run's output */
        WorkflowSettings: {
            output?: components["schemas"]["Json"];
            /**
             * @description A path that leads nowhere fails its node
             * @default false
             */
            strict_templates?: boolean;
            recursion_limit?: number;
            batch_interval_ms?: number;
        };
        /** @description A graph that deploys and runs. Saving takes less: a draft may have mistakes, and is told so in `problems`. */
        WorkflowDefinition: {
            metadata?: components["schemas"]["WorkflowMetadata"];
            config?: components["schemas"]["WorkflowSettings"];
            /** @description Fields of the state beside one for each node */
            state_schema?: {
                fields?: {
                    [key: string]: components["schemas"]["StateField"];
                };
            };
            nodes: components["schemas"]["Node"][];
            edges: components["schemas"]["Edge"][];
            /** @default __start__ */
            entry_point?: string;
            input_parameters?: {
                [key: string]: components["schemas"]["Json"];
            }[];
            end_points?: components["schemas"]["Json"];
            start_position?: components["schemas"]["CanvasPosition"];
        };
        /** @description A graph as it was saved, with mistakes or in other spellings */
        WorkflowDraft: {
            metadata?: components["schemas"]["WorkflowMetadata"];
            config?: {
                [key: string]: components["schemas"]["Json"];
            };
            nodes: unknown[];
            edges: unknown[];
        };
        LlmNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "llm";
            config: components["schemas"]["LlmNodeConfig"];
        };
        ToolNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool";
            config: components["schemas"]["ToolNodeConfig"];
        };
        AgentNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent";
            config: components["schemas"]["AgentNodeConfig"];
        };
        FunctionNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function";
            config: components["schemas"]["FunctionNodeConfig"];
        };
        ConditionalNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conditional";
            config: components["schemas"]["ConditionalNodeConfig"];
        };
        InterruptNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "interrupt";
            config: components["schemas"]["InterruptNodeConfig"];
        };
        TransformerNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transformer";
            config: components["schemas"]["TransformerNodeConfig"];
        };
        GuardrailsNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guardrails";
            config: components["schemas"]["GuardrailsNodeConfig"];
        };
        KnowledgeNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            position?: components["schemas"]["CanvasPosition"];
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "knowledge";
            config: components["schemas"]["KnowledgeNodeConfig"];
        };
        Node: components["schemas"]["LlmNode"] | components["schemas"]["ToolNode"] | components["schemas"]["AgentNode"] | components["schemas"]["FunctionNode"] | components["schemas"]["ConditionalNode"] | components["schemas"]["InterruptNode"] | components["schemas"]["TransformerNode"] | components["schemas"]["GuardrailsNode"] | components["schemas"]["KnowledgeNode"];
        NewWorkflow: {
            name?: string;
            description?: string | null;
            version?: string;
            tags?: string[];
            category?: string | null;
            /** @enum {string} */
            status?: "draft" | "active" | "archived";
            /** @enum {string} */
            visibility?: "private" | "organization" | "public";
            input?: components["schemas"]["JsonObject"];
            config?: components["schemas"]["JsonObject"];
            workflow_schema: components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
            organization_id?: string | null;
        };
        JsonObject: {
            [key: string]: components["schemas"]["Json"];
        };
        WorkflowUpdate: {
            name?: string;
            description?: string | null;
            version?: string;
            tags?: string[];
            category?: string | null;
            /** @enum {string} */
            status?: "draft" | "active" | "archived";
            /** @enum {string} */
            visibility?: "private" | "organization" | "public";
            input?: components["schemas"]["JsonObject"];
            config?: components["schemas"]["JsonObject"];
            workflow_schema?: components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
        };
        NodePin: {
            /**
             * Format: uuid
             * @description The run whose output is taken
             */
            run_pk: string;
            /** @description Of the node, in a loop; the last when missing */
            visit?: number;
        };
        NewRun: {
            workflow_id?: string | null;
            workflow?: ({
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["JsonObject"]) | null;
            system_workflow?: string | null;
            attribution_workflow_id?: string | null;
            /** @description Removed: a body with only `llm` is answered 410. */
            llm?: unknown;
            input?: components["schemas"]["JsonObject"] | null;
            config?: components["schemas"]["RunConfig"] | null;
            /** @default true */
            stream?: boolean;
            /** @default false */
            ephemeral?: boolean;
            /** @default false */
            is_private?: boolean;
        };
        RunConfig: {
            thread_id?: string;
            recursion_limit?: number;
            batch_interval_ms?: number;
        };
        RunAnswer: {
            interrupt_id?: string;
            action?: string | null;
            data?: components["schemas"]["Json"];
            responses?: components["schemas"]["InterruptAnswer"][];
            stream?: boolean;
        } & (unknown | unknown);
        /** @description Any JSON value */
        Json: string | number | boolean | null | unknown[] | {
            [key: string]: unknown;
        };
        InterruptAnswer: {
            interrupt_id: string;
            action?: string | null;
            data?: components["schemas"]["Json"];
        };
        Cancellation: {
            reason?: string | null;
        };
        NodeTest: {
            /** @description Fields of the state and outputs of other nodes by id; they win over those of a past run */
            state?: components["schemas"]["JsonObject"];
            /** @description The input of the run; that of the past run when it is missing */
            input?: components["schemas"]["JsonObject"];
            /**
             * Format: uuid
             * @description A past run whose state and outputs the templates of the node read
             */
            from_run_pk?: string;
            /**
             * @description The node may act on something outside: a tool or an agent
             * @default false
             */
            confirm_effects?: boolean;
        };
        Rerun: {
            /** @description This node, and whatever it leads to, runs again; everything else is reused */
            from_node_id?: string;
            /** @description Which visit of the node, in a loop; the last when it is missing */
            from_visit?: number;
            /**
             * @description What has failed runs again, and whatever it leads to
             * @constant
             */
            from?: "failed";
            /** @description Replaces the input of the run for the nodes that run */
            input?: components["schemas"]["JsonObject"];
            /** @description Outputs by node id that stand for what the nodes came to */
            overrides?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description In another definition a node is reused when it, and all before it, is as it was
             * @default same
             * @enum {string}
             */
            definition?: "same" | "live" | "draft";
            /**
             * @description Answers the plan and starts nothing
             * @default false
             */
            dry_run?: boolean;
        };
        DeployRequest: {
            deployment_note?: string | null;
            schema_image_url?: string | null;
        };
        NewOrganization: {
            name: string;
        };
        OrganizationUpdate: {
            name?: string;
            domain?: string;
            /** @description Replaced as a whole */
            settings?: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        RoleChange: {
            /** @enum {string} */
            role: "owner" | "admin";
        };
        NewInvitation: {
            /** Format: email */
            email: string;
            /** @constant */
            role: "admin";
        };
        NewCredential: {
            name: string;
            integration: string;
            auth_type: string;
            /** @description The secret, by the integration's auth schema; never returned */
            data: {
                [key: string]: components["schemas"]["Json"];
            };
            allowed_hosts?: string[] | null;
            organization_id?: string | null;
            expires_at?: string | null;
        };
        NewAuthorization: {
            integration: string;
            /** @description Of the credential; needed unless one is authorized again */
            name?: string;
            scopes?: string[];
            /**
             * Format: uuid
             * @description An OAuth credential to authorize again
             */
            credential_id?: string;
        };
        AuthorizationEnd: {
            state: string;
            code?: string;
            /** @description What the provider said in place of a code */
            error?: string;
        };
        CredentialChange: {
            name?: string;
            /** @description The secret, by the integration's auth schema; never returned */
            data?: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description host:port, or host alone for https on its usual port */
            allowed_hosts?: string[];
            expires_at?: string | null;
            /**
             * @description Takes the credential out of use; new data puts it back
             * @constant
             */
            status?: "revoked";
        };
        NewApiKey: {
            name: string;
            organization_id?: string | null;
            expires_at?: string | null;
            /** @default 60 */
            rate_limit_per_minute?: number;
        };
        ChatChange: {
            title?: string;
            pinned?: boolean;
        };
        AssistantMessage: {
            message: string;
            llm?: {
                provider?: string | null;
                model?: string | null;
                credential_id?: string | null;
            } | null;
            thread_id?: string;
        };
        ComposerMessage: {
            message: string;
            workflow_id?: string | null;
            thread_id?: string;
            llm?: {
                provider?: string | null;
                model?: string | null;
                credential_id?: string | null;
            } | null;
        };
        ExtraUsageChange: {
            enabled: boolean;
        };
        NewTopup: {
            amount: number;
        };
        NewSchedule: {
            /** Format: uuid */
            workflow_id: string;
            name: string;
            /** @description Minute, hour, day of month, month, day of week. Both day fields must match. At most once a minute. */
            cron_expression: string;
            timezone?: string;
            input?: components["schemas"]["JsonObject"] | null;
            config?: components["schemas"]["ScheduleConfig"] | null;
            /** @default true */
            enabled?: boolean;
            /**
             * @default skip
             * @enum {string}
             */
            overlap_policy?: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
            /** @default 60 */
            catchup_window_seconds?: number;
            start_at?: string | null;
            end_at?: string | null;
            max_runs?: number | null;
            organization_id?: string | null;
        };
        ScheduleConfig: {
            thread_id?: string;
            recursion_limit?: number;
            batch_interval_ms?: number;
        };
        ScheduleChange: {
            name?: string;
            /** @description Minute, hour, day of month, month, day of week. Both day fields must match. At most once a minute. */
            cron_expression?: string;
            timezone?: string;
            input?: components["schemas"]["JsonObject"];
            config?: components["schemas"]["ScheduleConfig"];
            enabled?: boolean;
            /** @enum {string} */
            overlap_policy?: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
            catchup_window_seconds?: number;
            start_at?: string | null;
            end_at?: string | null;
            max_runs?: number | null;
        };
        NewSupportRequest: {
            subject: string;
            message: string;
            organization_id?: string | null;
        };
        NewKnowledgeBase: {
            name: string;
            description?: string | null;
            embedding_config?: components["schemas"]["NewEmbeddingConfig"] | null;
            chunking_config?: {
                /**
                 * @default recursive
                 * @constant
                 */
                strategy?: "recursive";
                /** @default 800 */
                chunk_size?: number;
                chunk_overlap?: number;
                /**
                 * @default tokens
                 * @constant
                 */
                unit?: "tokens";
            } | null;
            /** @description Embeds on the organization's own account; without it the base is managed */
            credential_id?: string | null;
            organization_id?: string | null;
        };
        NewEmbeddingConfig: {
            provider?: string | null;
            model?: string | null;
            credential_id?: string | null;
            dimensions?: number | null;
        };
        KnowledgeBaseChange: {
            name?: string;
            description?: string;
            embedding_config?: components["schemas"]["NewEmbeddingConfig"];
            chunking_config?: {
                /**
                 * @default recursive
                 * @constant
                 */
                strategy?: "recursive";
                /** @default 800 */
                chunk_size?: number;
                chunk_overlap?: number;
                /**
                 * @default tokens
                 * @constant
                 */
                unit?: "tokens";
            };
            credential_id?: string | null;
        };
        KnowledgeSearch: {
            query: string;
            /** @default 5 */
            top_k?: number;
            /** @default 0 */
            min_score?: number;
            filters?: components["schemas"]["JsonObject"] | null;
            /** @default true */
            include_content?: boolean;
            /** @default true */
            include_metadata?: boolean;
        };
        DocumentUpload: {
            /**
             * Format: binary
             * @description Text, Markdown, HTML, PDF or DOCX; at most 25 MiB
             */
            file: string;
            /** @description The file's name unless given */
            name?: string;
            /** @description A JSON object; searches filter by it */
            doc_metadata?: string;
            /** @description A JSON object in place of the base's */
            chunking_config?: string;
        };
        RunStartedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_started";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            workflow_id?: string | null;
            workflow_name?: string;
            workflow_version?: string;
            workflow_source?: string;
            deployment_id?: string | null;
            chat_id?: string | null;
            ephemeral?: boolean;
            reason?: string;
            resumed_from_run_id?: string | null;
            rerun_of?: string | null;
        };
        NodeStartedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_started";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
        };
        NodeCompletedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_completed";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            output: components["schemas"]["Json"];
            output_truncated: boolean;
            selected_handle: string | null;
            duration_ms: number;
            usage: components["schemas"]["TokenUsage"] | null;
            credits: number;
            warnings: components["schemas"]["StepWarning"][];
        };
        TokenUsage: {
            input_tokens: number;
            output_tokens: number;
            total_tokens: number;
            cached_tokens?: number;
            byok?: boolean;
        };
        StepWarning: {
            code: string;
            message: string;
        };
        NodeFailedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_failed";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            error: components["schemas"]["Failure"];
            handled: boolean;
            on_error: string;
        };
        Failure: {
            /** @description A stable word */
            code: string;
            message: string;
            type?: string;
            node_id?: string | null;
            retryable?: boolean;
            status?: number | null;
            attempts?: number;
        };
        NodeRetryFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_retry";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            error: components["schemas"]["Failure"];
            next_attempt: number;
            delay_ms: number;
            possibly_repeated?: boolean;
        };
        NodeSkippedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_skipped";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            /** @enum {string} */
            reason: "branch" | "disabled";
        };
        NodeReusedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_reused";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            selected_handle: string | null;
            reused_from_step_id: string | null;
        };
        StateUpdatedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "state_updated";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            fields: string[];
        };
        TokenFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "token";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            delta: string;
            /** @enum {string} */
            channel: "content" | "reasoning";
            replay: boolean;
        };
        TokenResetFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "token_reset";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            /** @enum {string} */
            reason: "retry" | "tool_turn" | "moderation";
        };
        ProgressFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "progress";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            data: components["schemas"]["Json"];
        };
        ToolCallFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            tool_call_id: string;
            name: string;
            /** @enum {string} */
            phase: "start" | "retry" | "end";
            /** @enum {string} */
            status: "running" | "succeeded" | "failed";
            duration_ms: number | null;
            possibly_repeated?: boolean;
        };
        InterruptFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "interrupt";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            interrupt_id: string;
            /** @enum {string} */
            kind: "approval" | "input" | "tool_approval";
            title: string;
            message: string;
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            actions: components["schemas"]["InterruptAction"][];
            assignees: components["schemas"]["InterruptAssignees"];
            expires_at: string | null;
        };
        InterruptAction: {
            id: string;
            label: string;
        };
        /** @description Nobody named: anybody of the organization may answer */
        InterruptAssignees: {
            roles: string[];
            user_ids: string[];
        };
        InterruptResolvedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "interrupt_resolved";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            attempt: number;
            depth: number;
            item_index?: number;
            /** Format: uuid */
            parent_step_id?: string;
            iteration?: number;
            interrupt_id: string;
            action: string | null;
            responded_by: string | null;
            timed_out: boolean;
        };
        RunCompletedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_completed";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            duration_ms: number;
            usage?: components["schemas"]["TokenUsage"] | null;
            credits?: number;
            handled_error_count?: number;
            /** @constant */
            status: "completed";
            output: components["schemas"]["Json"];
            output_truncated: boolean;
        };
        RunFailedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_failed";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            duration_ms: number;
            usage?: components["schemas"]["TokenUsage"] | null;
            credits?: number;
            handled_error_count?: number;
            /** @constant */
            status: "failed";
            error: components["schemas"]["Failure"] | null;
        };
        RunCancelledFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_cancelled";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            duration_ms: number;
            usage?: components["schemas"]["TokenUsage"] | null;
            credits?: number;
            handled_error_count?: number;
            /** @constant */
            status: "cancelled";
            reason?: string | null;
        };
        RunInterruptedFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_interrupted";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            duration_ms: number;
            usage?: components["schemas"]["TokenUsage"] | null;
            credits?: number;
            handled_error_count?: number;
            /** @constant */
            status: "interrupted";
            interrupts?: components["schemas"]["OpenInterrupt"][];
        };
        OpenInterrupt: {
            node_id: string;
            interrupt_id: string;
            /** @enum {string} */
            kind: "approval" | "input" | "tool_approval";
            title: string;
            message: string;
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            actions: components["schemas"]["InterruptAction"][];
            assignees: components["schemas"]["InterruptAssignees"];
            expires_at: string | null;
        };
        HeartbeatFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "heartbeat";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            nodes: components["schemas"]["HeartbeatNode"][];
        };
        HeartbeatNode: {
            node_id: string;
            attempt: number;
            seq: number;
            tokens: number;
        };
        SnapshotFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "snapshot";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            seq: number;
            status: string;
            last_seq: number;
            nodes: components["schemas"]["SnapshotNode"][];
            partial_text: {
                [key: string]: string;
            };
            interrupts: components["schemas"]["SnapshotInterrupt"][];
        };
        SnapshotNode: {
            node_id: string;
            /** Format: uuid */
            step_id: string;
            status: string;
            attempt: number;
            output: components["schemas"]["Json"];
            output_truncated: boolean;
        };
        SnapshotInterrupt: {
            interrupt_id: string;
            node_id: string;
        };
        StreamErrorFrame: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stream_error";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            /** Format: date-time */
            timestamp: string;
            code: string;
            message: string;
        };
        ServiceRoot: {
            service: string;
            version: string;
            openapi: string;
        };
        Health: {
            /** @constant */
            status: "healthy";
            service: string;
            version: string;
        };
        HealthReport: {
            /** @enum {string} */
            overall: "healthy" | "warning" | "unhealthy";
            checks: {
                [key: string]: components["schemas"]["HealthCheck"];
            };
            version: string;
            /** Format: date-time */
            timestamp: string;
        };
        HealthCheck: {
            /** @enum {string} */
            status: "healthy" | "warning" | "unhealthy";
            message: string;
        };
        WorkflowList: {
            workflows: components["schemas"]["WorkflowSummary"][];
            total: number;
            page?: number;
            page_size?: number;
            total_pages?: number;
        };
        WorkflowSummary: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            version: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "archived";
            /** @enum {string} */
            visibility: "private" | "organization" | "public" | "system";
            category: string | null;
            tags: string[];
            creator_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Workflow: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            version: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "archived";
            /** @enum {string} */
            visibility: "private" | "organization" | "public" | "system";
            category: string | null;
            tags: string[];
            creator_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            organization_id: string;
            workflow_schema: {
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
            input: components["schemas"]["JsonObject"];
            config: components["schemas"]["JsonObject"];
            edit_version: number | null;
            last_edited_by: string | null;
            last_edited_at: string | null;
            live_deployment_id: string | null;
            /** @description What a deploy or a run of the saved definition would refuse */
            problems: components["schemas"]["DefinitionProblem"][];
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        DefinitionProblem: {
            /** @enum {string} */
            severity: "error" | "warning";
            code: string;
            message: string;
            path: (string | number)[];
            node_id?: string;
        };
        BodyWarning: {
            /** @constant */
            code: "unknown_field";
            message: string;
            loc: string[];
        };
        Success: {
            /** @constant */
            success: true;
            message: string;
        };
        RunStarted: {
            /** @constant */
            status: "running";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            chat_id: string | null;
            ephemeral: boolean;
            stream: boolean;
            workflow_name: string;
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            elapsed_ms: number;
            human_message: components["schemas"]["RunMessage"];
            ai_message: components["schemas"]["RunMessage"];
            message: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        RunMessage: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            role: "human" | "ai";
            content: string;
            /** @enum {string} */
            status: "completed" | "pending";
            /** Format: uuid */
            run_id: string;
            chat_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        RunResumed: {
            /** @constant */
            status: "running";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            chat_id: string | null;
            ephemeral: boolean;
            stream: boolean;
            workflow_name: string;
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            elapsed_ms: number;
            human_message: components["schemas"]["RunMessage"];
            ai_message: components["schemas"]["RunMessage"];
            message: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
            /** Format: uuid */
            resumed_from_run_id: string;
            interrupt_ids: string[];
        };
        RunCancelled: {
            success: boolean;
            /** Format: uuid */
            run_id: string;
            /** @enum {string} */
            status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
            /** @enum {string} */
            previous_status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
            already_terminal: boolean;
            message: string;
        };
        RunList: {
            runs: components["schemas"]["RunListItem"][];
            has_more: boolean;
            limit: number;
            offset: number;
        };
        RunListItem: {
            /**
             * Format: uuid
             * @description The key of the history: `run_pk` in paths
             */
            id: string;
            /** Format: uuid */
            run_id: string;
            workflow_id: string | null;
            deployment_id: string | null;
            trigger_type: string;
            is_ad_hoc: boolean;
            /** @enum {string} */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
            duration_seconds: number | null;
            error_message: string | null;
            output_summary: string | null;
            has_output: boolean;
            /** @description A question of this run still waits for its answer */
            has_open_interrupts: boolean;
            /** Format: date-time */
            created_at: string;
        };
        InterruptList: {
            interrupts: components["schemas"]["WaitingInterrupt"][];
            has_more: boolean;
            limit: number;
            offset: number;
        };
        WaitingInterrupt: {
            interrupt_id: string;
            /** @enum {string} */
            kind: "approval" | "input" | "tool_approval";
            title: string;
            message: string;
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            actions: components["schemas"]["InterruptAction"][];
            assignees: components["schemas"]["InterruptAssignees"];
            expires_at: string | null;
            /** Format: uuid */
            run_id: string;
            node_id: string;
            /** Format: uuid */
            step_id: string;
            /** @enum {string} */
            status: "pending" | "claimed" | "consumed" | "expired" | "cancelled" | "superseded";
            response: components["schemas"]["JsonObject"] | null;
            responded_by: string | null;
            responded_at: string | null;
            resumed_by_run_id: string | null;
            /** Format: date-time */
            created_at: string;
            workflow_id: string | null;
            workflow_name: string;
        };
        Run: {
            /**
             * Format: uuid
             * @description The key of the history: `run_pk` in paths
             */
            id: string;
            /** Format: uuid */
            run_id: string;
            workflow_id: string | null;
            deployment_id: string | null;
            trigger_type: string;
            is_ad_hoc: boolean;
            /** @enum {string} */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
            duration_seconds: number | null;
            error_message: string | null;
            output_summary: string | null;
            has_output: boolean;
            /** @description A question of this run still waits for its answer */
            has_open_interrupts: boolean;
            /** Format: date-time */
            created_at: string;
            thread_id: string | null;
            chat_id: string | null;
            workflow_name: string;
            workflow_version: string;
            workflow_source: string;
            deployment_version: string | null;
            is_private: boolean;
            created_by: string | null;
            input: components["schemas"]["Json"];
            output: components["schemas"]["Json"];
            /** @description Declared fields, and the newest output of each node by its id */
            state: {
                [key: string]: components["schemas"]["Json"];
            };
            error: components["schemas"]["Failure"] | null;
            usage: components["schemas"]["TokenUsage"] | null;
            handled_error_count: number;
            cancel_reason: string | null;
            credits: components["schemas"]["RunCredits"];
            steps: components["schemas"]["RunStep"][];
            interrupts: components["schemas"]["Interrupt"][];
            resumed_from_run_id: string | null;
            resumed_by_run_ids: string[];
            /** @description The `run_id` of the run that this one runs again */
            rerun_of: string | null;
            rerun_of_run_pk: string | null;
            parent_run_id: string | null;
            /** @description A value of a step is too large to be listed: read the step */
            truncated: boolean;
        };
        RunCredits: {
            charged: number;
            items: components["schemas"]["RunCharge"][];
        };
        RunCharge: {
            step_id: string;
            kind: string;
            model: string;
            byok: boolean;
            credits: number;
        };
        RunStep: {
            /** Format: uuid */
            step_id: string;
            node_id: string;
            node_type: string;
            node_name: string;
            status: string;
            depth: number;
            visit: number;
            parent_step_id: string | null;
            item_index: number | null;
            iteration: number | null;
            input: components["schemas"]["Json"];
            input_truncated: boolean;
            output: components["schemas"]["Json"];
            output_truncated: boolean;
            error: components["schemas"]["Failure"] | null;
            error_handled: boolean;
            selected_handle: string | null;
            warnings: components["schemas"]["StepWarning"][];
            usage: components["schemas"]["TokenUsage"] | null;
            credits: number;
            attempt: number;
            attempts: components["schemas"]["StepAttempt"][];
            logs: string[] | null;
            tool_calls: components["schemas"]["StepToolCall"][] | null;
            child_run_id: string | null;
            /** @description The step of an earlier run that a reused step takes its values from */
            reused_from_step_id: string | null;
            started_at: string | null;
            completed_at: string | null;
            duration_ms: number | null;
        };
        StepAttempt: {
            attempt: number;
            /** @enum {string} */
            status: "running" | "succeeded" | "failed" | "cancelled" | "lost";
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
            duration_ms: number | null;
            error: components["schemas"]["Failure"] | null;
        };
        StepToolCall: {
            id: string;
            name: string;
            arguments: components["schemas"]["Json"];
            result: components["schemas"]["Json"];
            error: components["schemas"]["Failure"] | null;
            duration_ms: number | null;
        };
        Interrupt: {
            interrupt_id: string;
            /** @enum {string} */
            kind: "approval" | "input" | "tool_approval";
            title: string;
            message: string;
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            actions: components["schemas"]["InterruptAction"][];
            assignees: components["schemas"]["InterruptAssignees"];
            expires_at: string | null;
            /** Format: uuid */
            run_id: string;
            node_id: string;
            /** Format: uuid */
            step_id: string;
            /** @enum {string} */
            status: "pending" | "claimed" | "consumed" | "expired" | "cancelled" | "superseded";
            response: components["schemas"]["JsonObject"] | null;
            responded_by: string | null;
            responded_at: string | null;
            resumed_by_run_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        RunDefinition: {
            /** Format: uuid */
            run_id: string;
            /** @description SHA-256 of the definition as it is stored, in hex */
            definition_hash: string;
            workflow_name: string;
            workflow_version: string;
            workflow_source: string;
            definition: {
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
        };
        RunComparison: {
            a: components["schemas"]["ComparedRun"];
            b: components["schemas"]["ComparedRun"];
            same_definition: boolean;
            nodes: components["schemas"]["ComparedNode"][];
        };
        ComparedRun: {
            /** Format: uuid */
            run_pk: string;
            /** Format: uuid */
            run_id: string;
            /** @enum {string} */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            workflow_id: string | null;
            workflow_name: string;
            workflow_version: string;
        };
        ComparedNode: {
            node_id: string;
            node_name: string;
            node_type: string;
            /** @description Its last visit; null when the run did not come to it */
            a: components["schemas"]["ComparedStep"] | null;
            b: components["schemas"]["ComparedStep"] | null;
            output_differs: boolean;
            /** @description JSON pointers into the outputs; null when these are too large to be compared */
            differences: string[] | null;
            branch_differs: boolean;
        };
        ComparedStep: {
            /** Format: uuid */
            step_id: string;
            status: string;
            visits: number;
            duration_ms: number | null;
            credits: number;
            selected_handle: string | null;
            /** @description The nodes that it has led to, or `__end__`; null when it has not ended */
            took: string[] | null;
            error_code: string | null;
        };
        RerunReply: components["schemas"]["RerunStarted"] | components["schemas"]["RerunPlan"];
        RerunStarted: {
            /** @constant */
            status: "running";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            chat_id: string | null;
            ephemeral: boolean;
            stream: boolean;
            workflow_name: string;
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            elapsed_ms: number;
            human_message: components["schemas"]["RunMessage"];
            ai_message: components["schemas"]["RunMessage"];
            message: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
            /** Format: uuid */
            rerun_of: string;
        };
        RerunPlan: {
            /** @constant */
            dry_run: true;
            /** Format: uuid */
            rerun_of: string;
            workflow_name: string;
            workflow_version: string;
            workflow_source: string;
            counts: components["schemas"]["RerunCounts"];
            nodes: components["schemas"]["RerunPlanNode"][];
        };
        RerunCounts: {
            reuse: number;
            run: number;
            skip: number;
        };
        RerunPlanNode: {
            node_id: string;
            node_name: string;
            node_type: string;
            /** @enum {string} */
            effect: "pure" | "idempotent" | "at_least_once" | "at_most_once";
            /** @enum {string} */
            action: "reuse" | "run" | "skip";
            /**
             * @description Why: the node, or what it depends on
             * @enum {string}
             */
            reason: "completed" | "override" | "chosen" | "downstream" | "changed" | "not_completed" | "branch";
            visits_reused: number;
        };
        Deployment: {
            /** Format: uuid */
            id: string;
            name: string;
            version: string;
            deployment_note: string | null;
            schema_image_url: string | null;
            deployed_by: string | null;
            is_live: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            workflow_id: string;
            description: string | null;
        };
        DeploymentList: {
            deployments: components["schemas"]["DeploymentListItem"][];
            total: number;
            has_more: boolean;
            limit: number;
            offset: number;
        };
        DeploymentListItem: {
            /** Format: uuid */
            id: string;
            name: string;
            version: string;
            deployment_note: string | null;
            schema_image_url: string | null;
            deployed_by: string | null;
            is_live: boolean;
            /** Format: date-time */
            created_at: string;
        };
        DeploymentDeactivated: {
            /** @constant */
            success: true;
            message: string;
            /** Format: uuid */
            previous_live_deployment_id?: string;
        };
        DeploymentDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            version: string;
            deployment_note: string | null;
            schema_image_url: string | null;
            deployed_by: string | null;
            is_live: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            workflow_id: string;
            description: string | null;
            workflow_schema: {
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
            input: components["schemas"]["JsonObject"];
            config: components["schemas"]["JsonObject"];
        };
        DeploymentDeleted: {
            /** @constant */
            success: true;
            message: string;
            /** Format: uuid */
            deleted_deployment_id: string;
            was_live: boolean;
            /** Format: uuid */
            new_live_deployment_id?: string;
        };
        DeploymentActivated: {
            /** @constant */
            success: true;
            message: string;
            /** Format: uuid */
            deployment_id: string;
            /** Format: uuid */
            previous_live_deployment_id?: string;
        };
        OrganizationList: components["schemas"]["Organization"][];
        Organization: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            domain: string;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
        };
        OrganizationDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            domain: string;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            stripe_customer_id: string | null;
            settings: components["schemas"]["JsonObject"];
            has_ever_trialed: boolean;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        MemberList: {
            members: components["schemas"]["Member"][];
            total: number;
        };
        Member: {
            /** Format: uuid */
            user_id: string;
            /** Format: uuid */
            organization_id: string;
            email: string;
            role: string;
            /** @description Whether the user may use the service at all */
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organization_id: string;
            organization_name: string;
            email: string;
            role: string;
            /** @enum {string} */
            status: "pending" | "accepted";
            /** Format: date-time */
            created_at: string;
        };
        InvitationList: {
            invitations: components["schemas"]["Invitation"][];
        };
        Credential: {
            /** Format: uuid */
            credential_id: string;
            /** Format: uuid */
            organization_id: string;
            name: string;
            integration: string;
            auth_type: string;
            /** @constant */
            scope: "organization";
            /** @enum {string} */
            status: "active" | "expired" | "error" | "revoked";
            status_message: string | null;
            /** @description Of secrets at most the last four characters */
            masked: {
                [key: string]: string;
            };
            scopes: string[];
            allowed_hosts: string[];
            expires_at: string | null;
            last_used_at: string | null;
            last_tested_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        CredentialList: {
            credentials: components["schemas"]["Credential"][];
            total: number;
        };
        Authorization: {
            authorization_url: string;
            state: string;
            /** Format: date-time */
            expires_at: string;
        };
        CredentialDetail: {
            /** Format: uuid */
            credential_id: string;
            /** Format: uuid */
            organization_id: string;
            name: string;
            integration: string;
            auth_type: string;
            /** @constant */
            scope: "organization";
            /** @enum {string} */
            status: "active" | "expired" | "error" | "revoked";
            status_message: string | null;
            /** @description Of secrets at most the last four characters */
            masked: {
                [key: string]: string;
            };
            scopes: string[];
            allowed_hosts: string[];
            expires_at: string | null;
            last_used_at: string | null;
            last_tested_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            in_use_by: components["schemas"]["CredentialUse"];
        };
        CredentialUse: {
            workflows: number;
            knowledge_bases: number;
        };
        CredentialTest: {
            success: boolean;
            message: string;
            /** @enum {string} */
            status: "active" | "expired" | "error" | "revoked";
        };
        CredentialToolList: {
            tools: components["schemas"]["CredentialTool"][];
            total: number;
        };
        CredentialTool: {
            name: string;
            description: string;
            /** @description JSON Schema of a call's arguments */
            input_schema: components["schemas"]["JsonObject"];
        };
        IntegrationList: {
            integrations: components["schemas"]["IntegrationSummary"][];
            total: number;
        };
        IntegrationSummary: {
            name: string;
            display_name: string;
            description: string;
            version: string;
            category: string;
            docs_url: string | null;
            tags: string[];
            extra_metadata: components["schemas"]["JsonObject"];
            auth: components["schemas"]["IntegrationAuth"][];
            /** @description The organization has an active credential */
            connected: boolean;
            actions: components["schemas"]["IntegrationActionSummary"][];
        };
        IntegrationAuth: {
            type: string;
            required: boolean;
            scopes: string[];
            schema: components["schemas"]["JsonObject"];
        };
        IntegrationActionSummary: {
            name: string;
            display_name: string;
            description: string;
            idempotent: boolean;
            requires_auth: boolean;
        };
        Integration: {
            name: string;
            display_name: string;
            description: string;
            version: string;
            category: string;
            docs_url: string | null;
            tags: string[];
            extra_metadata: components["schemas"]["JsonObject"];
            auth: components["schemas"]["IntegrationAuth"][];
            /** @description The organization has an active credential */
            connected: boolean;
            actions: components["schemas"]["IntegrationAction"][];
        };
        IntegrationAction: {
            name: string;
            display_name: string;
            description: string;
            idempotent: boolean;
            requires_auth: boolean;
            input_schema: components["schemas"]["JsonObject"];
            output_schema: components["schemas"]["JsonObject"];
        };
        CreatedApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            key_hint: string;
            masked_key: string;
            organization_id: string | null;
            expires_at: string | null;
            is_expired: boolean;
            is_active: boolean;
            rate_limit_per_minute: number;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            revoked_at: string | null;
            /** @description The full key, in this answer only */
            key: string;
        };
        TooManyKeys: {
            detail: {
                /** @constant */
                code: "MAX_KEYS_EXCEEDED";
                message: string;
            };
        };
        ApiKeyList: {
            api_keys: components["schemas"]["ApiKey"][];
            total: number;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            key_hint: string;
            masked_key: string;
            organization_id: string | null;
            expires_at: string | null;
            is_expired: boolean;
            is_active: boolean;
            rate_limit_per_minute: number;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            revoked_at: string | null;
        };
        Me: {
            /** Format: uuid */
            id: string;
            /** @description The identity provider's user id */
            subject: string;
            email: string;
            role: string;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
        };
        MyOrganizationList: {
            organizations: components["schemas"]["MyOrganization"][];
        };
        MyOrganization: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`
             */
            organization_id: string;
            name: string;
            slug: string;
            domain: string;
            role: string;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
        };
        ChatPage: {
            items: components["schemas"]["Chat"][];
            next_cursor: string | null;
        };
        Chat: {
            /** Format: uuid */
            id: string;
            thread_id: string;
            title: string;
            /** @enum {string} */
            status: "idle" | "running" | "interrupted" | "error";
            last_message_preview: string | null;
            message_count: number;
            workflow_id: string | null;
            pinned: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        ChatMessagePage: {
            items: components["schemas"]["ChatMessage"][];
            next_cursor: string | null;
        };
        ChatMessage: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            role: "human" | "ai";
            content: string;
            /** @enum {string} */
            status: "completed" | "pending" | "interrupted" | "failed" | "cancelled";
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            chat_id: string;
            error: components["schemas"]["ChatMessageError"] | null;
            /** Format: date-time */
            created_at: string;
        };
        ChatMessageError: {
            code: string;
            message: string;
        };
        AssistantAnswer: {
            /** @constant */
            status: "running";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            chat_id: string | null;
            ephemeral: boolean;
            stream: boolean;
            workflow_name: string;
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            elapsed_ms: number;
            human_message: components["schemas"]["RunMessage"];
            ai_message: components["schemas"]["RunMessage"];
            message: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
            stream_url: string;
        };
        ComposerAnswer: {
            /** @constant */
            status: "running";
            /** Format: uuid */
            run_id: string;
            thread_id: string | null;
            chat_id: string | null;
            ephemeral: boolean;
            stream: boolean;
            workflow_name: string;
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            elapsed_ms: number;
            human_message: components["schemas"]["RunMessage"];
            ai_message: components["schemas"]["RunMessage"];
            message: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
            stream_url: string;
            workflow_id: string | null;
            edit_version: number | null;
        };
        Subscription: {
            /** Format: uuid */
            organization_id: string;
            plan: string;
            is_suspended: boolean;
            /** Format: date-time */
            period_start: string;
            /** Format: date-time */
            period_end: string;
            credits: components["schemas"]["Credits"];
            wallet: components["schemas"]["Wallet"];
            entitlements: components["schemas"]["Entitlements"];
        };
        Credits: {
            used: number;
            reserved: number;
            limit: number | null;
            remaining: number | null;
        };
        Wallet: {
            balance: number;
            extra_usage_enabled: boolean;
        };
        Entitlements: {
            sync_exec: number | null;
            api: number | null;
            knowledge_bases: number | null;
        };
        WalletLedgerPage: {
            items: components["schemas"]["WalletLedgerEntry"][];
            next_cursor: string | null;
        };
        WalletLedgerEntry: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "topup" | "usage" | "adjustment";
            amount: number;
            balance: number;
            extra_metadata: components["schemas"]["JsonObject"];
            /** Format: date-time */
            created_at: string;
        };
        PaidSubscriptionRequired: {
            detail: {
                reason: string;
            };
        };
        Topup: {
            checkout_url: string;
        };
        StripeEventReceived: {
            /** @constant */
            received: true;
        };
        Schedule: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organization_id: string;
            /** Format: uuid */
            workflow_id: string;
            name: string;
            cron_expression: string;
            timezone: string;
            input: components["schemas"]["JsonObject"];
            config: components["schemas"]["JsonObject"];
            enabled: boolean;
            /** @enum {string} */
            overlap_policy: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
            catchup_window_seconds: number;
            start_at: string | null;
            end_at: string | null;
            max_runs: number | null;
            consecutive_failures: number;
            disabled_reason: string | null;
            next_run_at: string | null;
            last_run_at: string | null;
            last_run_id: string | null;
            run_count: number;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        ScheduleList: {
            schedules: components["schemas"]["Schedule"][];
            has_more: boolean;
            limit: number;
            offset: number;
        };
        ScheduledRunList: {
            runs: components["schemas"]["ScheduledRun"][];
            has_more: boolean;
            limit: number;
            offset: number;
        };
        ScheduledRun: {
            /**
             * Format: uuid
             * @description The key of the history: `run_pk` in paths
             */
            id: string;
            /** Format: uuid */
            run_id: string;
            workflow_id: string | null;
            deployment_id: string | null;
            trigger_type: string;
            is_ad_hoc: boolean;
            /** @enum {string} */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
            duration_seconds: number | null;
            error_message: string | null;
            output_summary: string | null;
            has_output: boolean;
            /** @description A question of this run still waits for its answer */
            has_open_interrupts: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            scheduled_at: string;
        };
        SupportRequest: {
            /** Format: uuid */
            id: string;
            subject: string;
            message: string;
            status: string;
            organization_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        KnowledgeBase: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organization_id: string;
            created_by_user_id: string | null;
            /** @description Null: managed */
            credential_id: string | null;
            name: string;
            description: string;
            embedding_config: components["schemas"]["EmbeddingConfig"];
            chunking_config: components["schemas"]["ChunkingConfig"];
            document_count: number;
            total_chunks: number;
            total_tokens: number;
            /** @enum {string} */
            status: "active" | "indexing";
            stats: components["schemas"]["KnowledgeBaseStats"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Fields of the body that are not known; they changed nothing */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        EmbeddingConfig: {
            provider: string;
            model: string;
            dimensions: number | null;
            /** Format: uuid */
            credential_id?: string;
        };
        ChunkingConfig: {
            strategy: string;
            chunk_size: number;
            chunk_overlap: number;
            unit: string;
        };
        KnowledgeBaseStats: {
            documents_by_status: {
                [key: string]: number;
            };
            last_indexed_at: string | null;
            storage_bytes: number;
            searches_30d: number;
        };
        KnowledgeBasePage: {
            knowledge_bases: components["schemas"]["KnowledgeBase"][];
            next_cursor: string | null;
        };
        KnowledgeSearchResult: {
            query: string;
            /** Format: uuid */
            knowledge_base_id: string;
            top_k: number;
            total_matches: number;
            matches: components["schemas"]["KnowledgeMatch"][];
        };
        KnowledgeMatch: {
            /** Format: uuid */
            chunk_id: string;
            /** Format: uuid */
            document_id: string;
            document_name: string;
            /** Format: uuid */
            knowledge_base_id: string;
            chunk_index: number;
            score: number;
            content?: string;
            chunk_metadata?: components["schemas"]["JsonObject"];
            doc_metadata?: components["schemas"]["JsonObject"];
            source_url: string | null;
            token_count: number;
        };
        KnowledgeDocument: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            knowledge_base_id: string;
            name: string;
            /** @constant */
            source_type: "upload";
            mime_type: string;
            size_bytes: number;
            content_hash: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed";
            stage: ("parsing" | "embedding") | null;
            progress: components["schemas"]["DocumentProgress"];
            error: components["schemas"]["DocumentError"] | null;
            chunk_count: number;
            token_count: number;
            doc_metadata: components["schemas"]["JsonObject"];
            attempts: number;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            completed_at: string | null;
        };
        DocumentProgress: {
            chunks_done: number;
            chunks_total: number | null;
        };
        DocumentError: {
            code: string;
            message: string;
        };
        KnowledgeDocumentPage: {
            documents: components["schemas"]["KnowledgeDocument"][];
            next_cursor: string | null;
        };
        KnowledgeChunkList: {
            chunks: components["schemas"]["KnowledgeChunk"][];
            has_more: boolean;
            limit: number;
            offset: number;
        };
        KnowledgeChunk: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            document_id: string;
            chunk_index: number;
            content: string;
            token_count: number;
            chunk_metadata: components["schemas"]["JsonObject"];
        };
        /** @description Shape A: what is wrong, in words */
        DetailError: {
            detail: string;
        };
        /** @description Shape B: what is wrong, as an object */
        StructuredError: {
            detail: components["schemas"]["JsonObject"];
        };
        /** @description Shape C: each finding, and where it was found */
        ValidationError: {
            detail: {
                loc: (string | number)[];
                msg: string;
                type: string;
            }[];
        };
        /** @description Shape D: the billing gate denies, before anything is written */
        Denial: {
            /** @enum {string} */
            code: "rate_limit_exceeded" | "quota_exceeded" | "credit_plan_exhausted" | "wallet_overage_disabled" | "wallet_insufficient" | "upgrade_payment_failed";
            /** @enum {string} */
            layer: "rate" | "quota" | "credit" | "wallet";
            key: string | null;
            current: number | null;
            limit: number | null;
            reason: string | null;
        };
        Frame: components["schemas"]["RunStartedFrame"] | components["schemas"]["NodeStartedFrame"] | components["schemas"]["NodeCompletedFrame"] | components["schemas"]["NodeFailedFrame"] | components["schemas"]["NodeRetryFrame"] | components["schemas"]["NodeSkippedFrame"] | components["schemas"]["NodeReusedFrame"] | components["schemas"]["StateUpdatedFrame"] | components["schemas"]["TokenFrame"] | components["schemas"]["TokenResetFrame"] | components["schemas"]["ProgressFrame"] | components["schemas"]["ToolCallFrame"] | components["schemas"]["InterruptFrame"] | components["schemas"]["InterruptResolvedFrame"] | components["schemas"]["RunCompletedFrame"] | components["schemas"]["RunFailedFrame"] | components["schemas"]["RunCancelledFrame"] | components["schemas"]["RunInterruptedFrame"] | components["schemas"]["HeartbeatFrame"] | components["schemas"]["SnapshotFrame"] | components["schemas"]["StreamErrorFrame"];
    };
    responses: {
        /** @description Validation failed */
        Invalid: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description Unexpected error; with Retry-After when the database is away */
        Unexpected: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Malformed request */
        BadRequest: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Missing or invalid credential */
        Unauthenticated: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Not allowed */
        Forbidden: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description The key, the user or the organization has no requests left */
        OrganizationLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"] | components["schemas"]["StructuredError"];
            };
        };
        /** @description Nobody can tell who calls: the identity provider is away */
        Unavailable: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Request body too large */
        TooLarge: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description A body that is compressed, or of a type that is not taken */
        UnsupportedEncoding: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Not there, or not the organization's: nobody can tell */
        NotFound: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Credits or wallet do not cover it */
        Denied: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Denial"];
            };
        };
        /** @description Not allowed, or a quota is used up */
        ForbiddenOrDenied: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"] | components["schemas"]["Denial"];
            };
        };
        /** @description The key, the user or the organization has no requests or runs left */
        RunLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"] | components["schemas"]["StructuredError"] | components["schemas"]["Denial"];
            };
        };
        /** @description The key or the user has no requests left */
        CallerLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The client's own X-Request-ID if it has 8 to 64 of A-Z a-z 0-9 . _ -, else a new one */
        RequestId: string;
        /** @description Always `Bearer` */
        WwwAuthenticate: "Bearer";
        /** @description Seconds to wait */
        RetryAfter: number;
        /** @description Requests in 60 seconds */
        RateLimitLimit: number;
        /** @description Requests left in the window */
        RateLimitRemaining: number;
        /** @description When there is room again, in Unix seconds */
        RateLimitReset: number;
    };
    pathItems: never;
}
export type AgentToolOptions = components['schemas']['AgentToolOptions'];
export type AgentTool = components['schemas']['AgentTool'];
export type KnowledgeToolConfig = components['schemas']['KnowledgeToolConfig'];
export type GuardrailCheck = components['schemas']['GuardrailCheck'];
export type LlmNodeConfig = components['schemas']['LlmNodeConfig'];
export type ToolNodeConfig = components['schemas']['ToolNodeConfig'];
export type AgentNodeConfig = components['schemas']['AgentNodeConfig'];
export type FunctionNodeConfig = components['schemas']['FunctionNodeConfig'];
export type ConditionalNodeConfig = components['schemas']['ConditionalNodeConfig'];
export type InterruptNodeConfig = components['schemas']['InterruptNodeConfig'];
export type TransformerNodeConfig = components['schemas']['TransformerNodeConfig'];
export type GuardrailsNodeConfig = components['schemas']['GuardrailsNodeConfig'];
export type KnowledgeNodeConfig = components['schemas']['KnowledgeNodeConfig'];
export type HttpToolConfig = components['schemas']['HttpToolConfig'];
export type IntegrationToolConfig = components['schemas']['IntegrationToolConfig'];
export type McpToolConfig = components['schemas']['McpToolConfig'];
export type WorkflowToolConfig = components['schemas']['WorkflowToolConfig'];
export type RulesConditionalConfig = components['schemas']['RulesConditionalConfig'];
export type LlmConditionalConfig = components['schemas']['LlmConditionalConfig'];
export type ApprovalInterruptConfig = components['schemas']['ApprovalInterruptConfig'];
export type InputInterruptConfig = components['schemas']['InputInterruptConfig'];
export type WaitInterruptConfig = components['schemas']['WaitInterruptConfig'];
export type MapTransformerConfig = components['schemas']['MapTransformerConfig'];
export type ListTransformerConfig = components['schemas']['ListTransformerConfig'];
export type TemplateTransformerConfig = components['schemas']['TemplateTransformerConfig'];
export type MergeTransformerConfig = components['schemas']['MergeTransformerConfig'];
export type PiiGuardrailCheck = components['schemas']['PiiGuardrailCheck'];
export type SecretKeysGuardrailCheck = components['schemas']['SecretKeysGuardrailCheck'];
export type KeywordsGuardrailCheck = components['schemas']['KeywordsGuardrailCheck'];
export type RegexGuardrailCheck = components['schemas']['RegexGuardrailCheck'];
export type UrlsGuardrailCheck = components['schemas']['UrlsGuardrailCheck'];
export type JsonSchemaGuardrailCheck = components['schemas']['JsonSchemaGuardrailCheck'];
export type MaxLengthGuardrailCheck = components['schemas']['MaxLengthGuardrailCheck'];
export type ModerationGuardrailCheck = components['schemas']['ModerationGuardrailCheck'];
export type JailbreakGuardrailCheck = components['schemas']['JailbreakGuardrailCheck'];
export type TopicGuardrailCheck = components['schemas']['TopicGuardrailCheck'];
export type GroundingGuardrailCheck = components['schemas']['GroundingGuardrailCheck'];
export type CustomGuardrailCheck = components['schemas']['CustomGuardrailCheck'];
export type CanvasPosition = components['schemas']['CanvasPosition'];
export type NodeRetry = components['schemas']['NodeRetry'];
export type NodeForEach = components['schemas']['NodeForEach'];
export type NodeMock = components['schemas']['NodeMock'];
export type Rule = components['schemas']['Rule'];
export type RuleGroup = components['schemas']['RuleGroup'];
export type Rules = components['schemas']['Rules'];
export type Edge = components['schemas']['Edge'];
export type StateField = components['schemas']['StateField'];
export type WorkflowMetadata = components['schemas']['WorkflowMetadata'];
export type WorkflowSettings = components['schemas']['WorkflowSettings'];
export type WorkflowDefinition = components['schemas']['WorkflowDefinition'];
export type WorkflowDraft = components['schemas']['WorkflowDraft'];
export type LlmNode = components['schemas']['LlmNode'];
export type ToolNode = components['schemas']['ToolNode'];
export type AgentNode = components['schemas']['AgentNode'];
export type FunctionNode = components['schemas']['FunctionNode'];
export type ConditionalNode = components['schemas']['ConditionalNode'];
export type InterruptNode = components['schemas']['InterruptNode'];
export type TransformerNode = components['schemas']['TransformerNode'];
export type GuardrailsNode = components['schemas']['GuardrailsNode'];
export type KnowledgeNode = components['schemas']['KnowledgeNode'];
export type Node = components['schemas']['Node'];
export type NewWorkflow = components['schemas']['NewWorkflow'];
export type JsonObject = components['schemas']['JsonObject'];
export type WorkflowUpdate = components['schemas']['WorkflowUpdate'];
export type NodePin = components['schemas']['NodePin'];
export type NewRun = components['schemas']['NewRun'];
export type RunConfig = components['schemas']['RunConfig'];
export type RunAnswer = components['schemas']['RunAnswer'];
export type Json = components['schemas']['Json'];
export type InterruptAnswer = components['schemas']['InterruptAnswer'];
export type Cancellation = components['schemas']['Cancellation'];
export type NodeTest = components['schemas']['NodeTest'];
export type Rerun = components['schemas']['Rerun'];
export type DeployRequest = components['schemas']['DeployRequest'];
export type NewOrganization = components['schemas']['NewOrganization'];
export type OrganizationUpdate = components['schemas']['OrganizationUpdate'];
export type RoleChange = components['schemas']['RoleChange'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type NewCredential = components['schemas']['NewCredential'];
export type NewAuthorization = components['schemas']['NewAuthorization'];
export type AuthorizationEnd = components['schemas']['AuthorizationEnd'];
export type CredentialChange = components['schemas']['CredentialChange'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type ChatChange = components['schemas']['ChatChange'];
export type AssistantMessage = components['schemas']['AssistantMessage'];
export type ComposerMessage = components['schemas']['ComposerMessage'];
export type ExtraUsageChange = components['schemas']['ExtraUsageChange'];
export type NewTopup = components['schemas']['NewTopup'];
export type NewSchedule = components['schemas']['NewSchedule'];
export type ScheduleConfig = components['schemas']['ScheduleConfig'];
export type ScheduleChange = components['schemas']['ScheduleChange'];
export type NewSupportRequest = components['schemas']['NewSupportRequest'];
export type NewKnowledgeBase = components['schemas']['NewKnowledgeBase'];
export type NewEmbeddingConfig = components['schemas']['NewEmbeddingConfig'];
export type KnowledgeBaseChange = components['schemas']['KnowledgeBaseChange'];
export type KnowledgeSearch = components['schemas']['KnowledgeSearch'];
export type DocumentUpload = components['schemas']['DocumentUpload'];
export type RunStartedFrame = components['schemas']['RunStartedFrame'];
export type NodeStartedFrame = components['schemas']['NodeStartedFrame'];
export type NodeCompletedFrame = components['schemas']['NodeCompletedFrame'];
export type TokenUsage = components['schemas']['TokenUsage'];
export type StepWarning = components['schemas']['StepWarning'];
export type NodeFailedFrame = components['schemas']['NodeFailedFrame'];
export type Failure = components['schemas']['Failure'];
export type NodeRetryFrame = components['schemas']['NodeRetryFrame'];
export type NodeSkippedFrame = components['schemas']['NodeSkippedFrame'];
export type NodeReusedFrame = components['schemas']['NodeReusedFrame'];
export type StateUpdatedFrame = components['schemas']['StateUpdatedFrame'];
export type TokenFrame = components['schemas']['TokenFrame'];
export type TokenResetFrame = components['schemas']['TokenResetFrame'];
export type ProgressFrame = components['schemas']['ProgressFrame'];
export type ToolCallFrame = components['schemas']['ToolCallFrame'];
export type InterruptFrame = components['schemas']['InterruptFrame'];
export type InterruptAction = components['schemas']['InterruptAction'];
export type InterruptAssignees = components['schemas']['InterruptAssignees'];
export type InterruptResolvedFrame = components['schemas']['InterruptResolvedFrame'];
export type RunCompletedFrame = components['schemas']['RunCompletedFrame'];
export type RunFailedFrame = components['schemas']['RunFailedFrame'];
export type RunCancelledFrame = components['schemas']['RunCancelledFrame'];
export type RunInterruptedFrame = components['schemas']['RunInterruptedFrame'];
export type OpenInterrupt = components['schemas']['OpenInterrupt'];
export type HeartbeatFrame = components['schemas']['HeartbeatFrame'];
export type HeartbeatNode = components['schemas']['HeartbeatNode'];
export type SnapshotFrame = components['schemas']['SnapshotFrame'];
export type SnapshotNode = components['schemas']['SnapshotNode'];
export type SnapshotInterrupt = components['schemas']['SnapshotInterrupt'];
export type StreamErrorFrame = components['schemas']['StreamErrorFrame'];
export type ServiceRoot = components['schemas']['ServiceRoot'];
export type Health = components['schemas']['Health'];
export type HealthReport = components['schemas']['HealthReport'];
export type HealthCheck = components['schemas']['HealthCheck'];
export type WorkflowList = components['schemas']['WorkflowList'];
export type WorkflowSummary = components['schemas']['WorkflowSummary'];
export type Workflow = components['schemas']['Workflow'];
export type DefinitionProblem = components['schemas']['DefinitionProblem'];
export type BodyWarning = components['schemas']['BodyWarning'];
export type Success = components['schemas']['Success'];
export type RunStarted = components['schemas']['RunStarted'];
export type RunMessage = components['schemas']['RunMessage'];
export type RunResumed = components['schemas']['RunResumed'];
export type RunCancelled = components['schemas']['RunCancelled'];
export type RunList = components['schemas']['RunList'];
export type RunListItem = components['schemas']['RunListItem'];
export type InterruptList = components['schemas']['InterruptList'];
export type WaitingInterrupt = components['schemas']['WaitingInterrupt'];
export type Run = components['schemas']['Run'];
export type RunCredits = components['schemas']['RunCredits'];
export type RunCharge = components['schemas']['RunCharge'];
export type RunStep = components['schemas']['RunStep'];
export type StepAttempt = components['schemas']['StepAttempt'];
export type StepToolCall = components['schemas']['StepToolCall'];
export type Interrupt = components['schemas']['Interrupt'];
export type RunDefinition = components['schemas']['RunDefinition'];
export type RunComparison = components['schemas']['RunComparison'];
export type ComparedRun = components['schemas']['ComparedRun'];
export type ComparedNode = components['schemas']['ComparedNode'];
export type ComparedStep = components['schemas']['ComparedStep'];
export type RerunReply = components['schemas']['RerunReply'];
export type RerunStarted = components['schemas']['RerunStarted'];
export type RerunPlan = components['schemas']['RerunPlan'];
export type RerunCounts = components['schemas']['RerunCounts'];
export type RerunPlanNode = components['schemas']['RerunPlanNode'];
export type Deployment = components['schemas']['Deployment'];
export type DeploymentList = components['schemas']['DeploymentList'];
export type DeploymentListItem = components['schemas']['DeploymentListItem'];
export type DeploymentDeactivated = components['schemas']['DeploymentDeactivated'];
export type DeploymentDetail = components['schemas']['DeploymentDetail'];
export type DeploymentDeleted = components['schemas']['DeploymentDeleted'];
export type DeploymentActivated = components['schemas']['DeploymentActivated'];
export type OrganizationList = components['schemas']['OrganizationList'];
export type Organization = components['schemas']['Organization'];
export type OrganizationDetail = components['schemas']['OrganizationDetail'];
export type MemberList = components['schemas']['MemberList'];
export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationList = components['schemas']['InvitationList'];
export type Credential = components['schemas']['Credential'];
export type CredentialList = components['schemas']['CredentialList'];
export type Authorization = components['schemas']['Authorization'];
export type CredentialDetail = components['schemas']['CredentialDetail'];
export type CredentialUse = components['schemas']['CredentialUse'];
export type CredentialTest = components['schemas']['CredentialTest'];
export type CredentialToolList = components['schemas']['CredentialToolList'];
export type CredentialTool = components['schemas']['CredentialTool'];
export type IntegrationList = components['schemas']['IntegrationList'];
export type IntegrationSummary = components['schemas']['IntegrationSummary'];
export type IntegrationAuth = components['schemas']['IntegrationAuth'];
export type IntegrationActionSummary = components['schemas']['IntegrationActionSummary'];
export type Integration = components['schemas']['Integration'];
export type IntegrationAction = components['schemas']['IntegrationAction'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type TooManyKeys = components['schemas']['TooManyKeys'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type ApiKey = components['schemas']['ApiKey'];
export type Me = components['schemas']['Me'];
export type MyOrganizationList = components['schemas']['MyOrganizationList'];
export type MyOrganization = components['schemas']['MyOrganization'];
export type ChatPage = components['schemas']['ChatPage'];
export type Chat = components['schemas']['Chat'];
export type ChatMessagePage = components['schemas']['ChatMessagePage'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type ChatMessageError = components['schemas']['ChatMessageError'];
export type AssistantAnswer = components['schemas']['AssistantAnswer'];
export type ComposerAnswer = components['schemas']['ComposerAnswer'];
export type Subscription = components['schemas']['Subscription'];
export type Credits = components['schemas']['Credits'];
export type Wallet = components['schemas']['Wallet'];
export type Entitlements = components['schemas']['Entitlements'];
export type WalletLedgerPage = components['schemas']['WalletLedgerPage'];
export type WalletLedgerEntry = components['schemas']['WalletLedgerEntry'];
export type PaidSubscriptionRequired = components['schemas']['PaidSubscriptionRequired'];
export type Topup = components['schemas']['Topup'];
export type StripeEventReceived = components['schemas']['StripeEventReceived'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduleList = components['schemas']['ScheduleList'];
export type ScheduledRunList = components['schemas']['ScheduledRunList'];
export type ScheduledRun = components['schemas']['ScheduledRun'];
export type SupportRequest = components['schemas']['SupportRequest'];
export type KnowledgeBase = components['schemas']['KnowledgeBase'];
export type EmbeddingConfig = components['schemas']['EmbeddingConfig'];
export type ChunkingConfig = components['schemas']['ChunkingConfig'];
export type KnowledgeBaseStats = components['schemas']['KnowledgeBaseStats'];
export type KnowledgeBasePage = components['schemas']['KnowledgeBasePage'];
export type KnowledgeSearchResult = components['schemas']['KnowledgeSearchResult'];
export type KnowledgeMatch = components['schemas']['KnowledgeMatch'];
export type KnowledgeDocument = components['schemas']['KnowledgeDocument'];
export type DocumentProgress = components['schemas']['DocumentProgress'];
export type DocumentError = components['schemas']['DocumentError'];
export type KnowledgeDocumentPage = components['schemas']['KnowledgeDocumentPage'];
export type KnowledgeChunkList = components['schemas']['KnowledgeChunkList'];
export type KnowledgeChunk = components['schemas']['KnowledgeChunk'];
export type DetailError = components['schemas']['DetailError'];
export type StructuredError = components['schemas']['StructuredError'];
export type ValidationError = components['schemas']['ValidationError'];
export type Denial = components['schemas']['Denial'];
export type Frame = components['schemas']['Frame'];
export type ResponseInvalid = components['responses']['Invalid'];
export type ResponseUnexpected = components['responses']['Unexpected'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthenticated = components['responses']['Unauthenticated'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseOrganizationLimited = components['responses']['OrganizationLimited'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseUnsupportedEncoding = components['responses']['UnsupportedEncoding'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseDenied = components['responses']['Denied'];
export type ResponseForbiddenOrDenied = components['responses']['ForbiddenOrDenied'];
export type ResponseRunLimited = components['responses']['RunLimited'];
export type ResponseCallerLimited = components['responses']['CallerLimited'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimitRemaining'];
export type HeaderRateLimitReset = components['headers']['RateLimitReset'];
export type $defs = Record<string, never>;
export interface operations {
    getServiceRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceRoot"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The operator's secret */
                "X-Health-API-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            /** @description Too many requests */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            500: components["responses"]["Unexpected"];
        };
    };
    getHealthReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The operator's secret */
                "X-Health-API-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReport"];
                };
            };
            /** @description Answer */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            /** @description Too many requests */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: number;
                /** @description Rows of a page; without it all rows come at once */
                page_size?: number;
                /** @description Only workflows in this status */
                status?: "draft" | "active" | "archived";
                /** @description Only workflows of this category */
                category?: string;
                /** @description Only workflows of this visibility */
                visibility?: "private" | "organization" | "public" | "system";
                /** @description A text in their names or descriptions */
                search?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkflow"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    pinNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the node in the draft */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodePin"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    unpinNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the node in the draft */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The same key and body within 24 hours get the same answer, and one run. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRun"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStarted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listenToRun: {
        parameters: {
            query?: {
                /** @description The last `seq` that was seen: the stream goes on after it */
                after_seq?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The `seq` of the last event that was seen; the stream goes on after it. What is no number is ignored, and `after_seq` wins. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; each answer to a question begins a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Success, without a body */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; each answer to a question begins a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAnswer"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResumed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; each answer to a question begins a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Cancellation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunCancelled"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description How many rows to skip */
                offset?: number;
                /** @description Only the run with this `run_id`: how its `run_pk` is found */
                run_id?: string;
                /** @description Only runs of this workflow */
                workflow_id?: string;
                /** @description Only runs in this status; `completed` is another word for `succeeded` */
                status?: "running" | "interrupted" | "succeeded" | "completed" | "failed" | "cancelled";
                /** @description Only runs that were started so: api, schedule, chat, … */
                trigger_type?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInterrupts: {
        parameters: {
            query?: {
                /** @description Open questions are what is listed */
                status?: "pending";
                /** @description `me`: only what the caller may answer */
                assignee?: "me" | "anyone";
                /** @description Rows of a page */
                limit?: number;
                /** @description How many rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InterruptList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDefinition"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareRuns: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
                /** @description The `id` of the other run in the history */
                other_run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunComparison"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    testNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The same key and body within 24 hours get the same answer, and one run. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the node in the draft */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NodeTest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStarted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    rerunRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The same key and body within 24 hours get the same answer, and one run. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Rerun"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RerunReply"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getRunStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
                /** @description Id of the step */
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStep"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deployWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeployRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeployments: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description How many rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deactivateLiveDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentDeactivated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the deployment */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the deployment */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    activateDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the deployment */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentActivated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrganization"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
                /** @description Id of the user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
                /** @description Id of the user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMyInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description Name of an integration: only its credentials */
                integration?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCredential"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    startAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAuthorization"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    finishAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizationEnd"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    testCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCredentialTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialToolList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Answer */
            502: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Only integrations of this category */
                category?: string;
                /** @description A text in their names or descriptions */
                search?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Name of the integration */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyKeys"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the api key */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the api key */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMyOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyOrganizationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listComposerChats: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description `next_cursor` of the page before; left out, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getComposerChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteComposerChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateComposerChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listComposerMessages: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description `next_cursor` of the page before; left out, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatMessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAssistantChats: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description `next_cursor` of the page before; left out, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAssistantChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAssistantChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAssistantChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAssistantMessages: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description `next_cursor` of the page before; left out, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatMessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendAssistantMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantMessage"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    sendComposerMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComposerMessage"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComposerAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWalletLedger: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description `next_cursor` of the page before; left out, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletLedgerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    setExtraUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtraUsageChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaidSubscriptionRequired"];
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    startTopup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTopup"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topup"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaidSubscriptionRequired"];
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The signature of the body; a wrong one is 400 */
                "Stripe-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: components["schemas"]["Json"];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StripeEventReceived"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description How many rows to skip */
                offset?: number;
                /** @description Only schedules of this workflow */
                workflow_id?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSchedule"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description How many rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledRunList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that asks; left out, the user asks */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSupportRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportRequest"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSupportRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that asks; left out, the user asks */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSupportRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportRequest"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKnowledgeBases: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description `next_cursor` of the page before; left out, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBasePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKnowledgeBase"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KnowledgeBaseChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    searchKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KnowledgeSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeSearchResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Answer */
            502: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description `next_cursor` of the page before; left out, the first page */
                cursor?: string;
                /** @description Only documents in this status */
                status?: "pending" | "processing" | "completed" | "failed";
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocumentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentUpload"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDocumentChunks: {
        parameters: {
            query?: {
                /** @description Rows of a page */
                limit?: number;
                /** @description How many rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeChunkList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonObject"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
}
