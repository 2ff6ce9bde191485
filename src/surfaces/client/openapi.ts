/** Written by `npm run generate` from the OpenAPI document; do not edit. 82b0ca0b0d90b1cd5a7bc99e785f6b42186e0f8faf0e22e90d597eae0f33ad23 */
declare const savedByService: unique symbol;
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
         * @description No authentication is required.
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
         * Liveness check; dependencies are not checked
         * @description No authentication is required.
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
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness check for load balancers: 503 while this process should get no requests
         * @description No authentication is required.
         */
        get: operations["getReadiness"];
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
         * Metrics in the Prometheus format; requires X-Health-API-Key or a bearer token for scraping, else 404
         * @description No authentication is required.
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
         * Health report for operators; requires X-Health-API-Key
         * @description No authentication is required.
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
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * Retrieve a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getWorkflow"];
        /**
         * Update a workflow
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
         * Update a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateWorkflow"];
        trace?: never;
    };
    "/workflow-usage/{workflow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflows that use this one as a sub-workflow, in their live deployments or drafts
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getWorkflowUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * Pin the output of a node from a past run, for use in test runs of the draft
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["pinNode"];
        /**
         * Remove the pin and the mock of a node of the draft
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
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/run/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the live deployment of a workflow once for each of up to 1,000 inputs
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["startRunBatch"];
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
         * Stream the events of a run
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
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
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * List the runs in the history, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * Retrieve the record of a run by its id in the history
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Delete an ended run, with its segments, its sub-workflows, and their messages
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the record of a run by the `run_id` of its start or resume
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getRunByRunId"];
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
         * Retrieve the definition of a run
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * Run a single node of the draft, as a private run
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
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
         * Rerun a run from any of its nodes, reusing the outputs of the others
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
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
         * Retrieve a step with its full input and output
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * Deploy the draft of a workflow and make the deployment live
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
         * Deactivate the live deployment
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
         * Retrieve a deployment with its snapshot
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        /**
         * Delete a deployment; when it was live, the one before it becomes live
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
         * Make a deployment live; the draft does not change
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
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization; the caller becomes its owner
         * @description For any authenticated user; X-Organization-ID is not required.
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
         * Retrieve the organization and its settings
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the organization
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
         * Remove a member from the organization, or leave it; access ends immediately
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member; only owners may add or remove owners
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
         * Invite an email address as an admin; 200 when it was already invited
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
         * Revoke a pending invitation
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
         * List the pending invitations to the caller's verified email address; empty for API keys
         * @description For any authenticated user; X-Organization-ID is not required.
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
         * Accept an invitation; requires a token with a verified email address
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/{invitation_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a pending invitation; requires a token with a verified email address
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        post: operations["declineInvitation"];
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
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Create a credential for an external service; its secret is encrypted and never returned
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
         * Start the OAuth authorization of an account
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
         * Complete an OAuth authorization with the parameters of the redirect
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
         * Retrieve a credential, without its secret
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getCredential"];
        put?: never;
        post?: never;
        /**
         * Delete a credential that no workflow or knowledge base uses
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        /**
         * Update a credential: its name, its data, its allowed hosts, or revoke it
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
         * Test a credential with a read-only request
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
         * List the tools of the MCP server of a credential
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
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models of a credential, or of the managed endpoint, as the provider lists them
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listModels"];
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
         * List the integrations, without the schemas of their actions
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * Retrieve an integration with the schemas of its actions
         * @description For owners and admins of the organization in X-Organization-ID.
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
         * List the caller's API keys, including revoked ones
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; the key is returned only once
         * @description For any authenticated user; X-Organization-ID is not required.
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
         * Retrieve an API key
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key permanently
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the service accounts of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listServiceAccounts"];
        put?: never;
        /**
         * Create a service account: an identity of the organization for a program
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{service_account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a service account
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getServiceAccount"];
        put?: never;
        post?: never;
        /**
         * Delete a service account and revoke its keys; access ends immediately
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        delete: operations["deleteServiceAccount"];
        options?: never;
        head?: never;
        /**
         * Change the name, role or request limit of a service account
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        patch: operations["updateServiceAccount"];
        trace?: never;
    };
    "/service-accounts/{service_account_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of a service account, including revoked ones
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listServiceAccountKeys"];
        put?: never;
        /**
         * Create an API key of a service account; the key is returned only once
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["createServiceAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{service_account_id}/keys/{api_key_id}": {
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
         * Revoke an API key of a service account permanently
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        delete: operations["revokeServiceAccountKey"];
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
         * Retrieve the authenticated user
         * @description For any authenticated user; X-Organization-ID is not required.
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
         * List the caller's organizations with the role in each
         * @description For any authenticated user; X-Organization-ID is not required.
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
         * Retrieve one of the caller's composer chats
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getComposerChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat and the memory of its thread; the records of its runs are kept
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteComposerChat"];
        options?: never;
        head?: never;
        /**
         * Rename or pin a chat
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
         * List the messages of a chat, newest first
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
         * Retrieve one of the caller's assistant chats
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getAssistantChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat and the memory of its thread; the records of its runs are kept
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteAssistantChat"];
        options?: never;
        head?: never;
        /**
         * Rename or pin a chat
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
         * List the messages of a chat, newest first
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
         * Send a message to the Assistant; its answer is streamed at stream_url
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
         * Ask the Composer to create or edit a workflow; its answer is streamed at stream_url
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
         * Retrieve the organization's plan, credits and wallet
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
    "/subscriptions/usage/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the usage of the last days, oldest first; days without usage have zeros
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getDailyUsage"];
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
         * List the ledger entries of the wallet, newest first
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
         * Enable or disable usage beyond the monthly credits, charged to the wallet
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
         * Create a checkout session for a wallet top-up
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
         * Receive an event of Stripe, signed with the webhook secret
         * @description No authentication is required.
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
         * Create a schedule that runs the live deployment of a workflow
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
         * Retrieve a schedule
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule; the records of its runs are kept
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Update a schedule
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
         * Trigger a schedule now, under its overlap policy; the run appears in its runs
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
    "/schedules/{schedule_id}/firings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the next times of a schedule, and those that a daylight saving change skips or repeats
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listScheduleFirings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a workflow, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listHooks"];
        put?: never;
        /**
         * Create a webhook: an address at which another service starts runs of the workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getHook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its log; the runs that it started stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of a webhook; `secrets` replaces all of them
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateHook"];
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new address; the previous one stays valid for a while
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["rotateHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Listen for a test event: the next request is recorded, also by a disabled webhook or without a live version
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["listenForHookTest"];
        /**
         * Stop listening for a test event
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["stopHookTest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests that a webhook has received in the last 7 days, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listHookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a request again, as a new run
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["redeliverHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start a run: the address of a webhook, for the service that sends it
         * @description No authentication is required. Passes the billing gate, which denies before anything is written.
         */
        get: operations["getToHook"];
        /**
         * Start a run: the address of a webhook, for the service that sends it
         * @description No authentication is required. Passes the billing gate, which denies before anything is written.
         */
        put: operations["putToHook"];
        /**
         * Start a run: the address of a webhook, for the service that sends it
         * @description No authentication is required. Passes the billing gate, which denies before anything is written.
         */
        post: operations["postToHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a run that waits: the address of a callback, for the service that got it from the run
         * @description No authentication is required. Passes the billing gate, which denies before anything is written.
         */
        post: operations["answerCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/error-workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which workflow is started when a run of this one fails
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getErrorWorkflow"];
        /**
         * Choose the workflow that is started, once, with the facts of each failed run; null: none
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        put: operations["setErrorWorkflow"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notification endpoints of the organization, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listNotificationEndpoints"];
        put?: never;
        /**
         * Create an endpoint that is told of runs; the answer has the secret that signs its requests
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createNotificationEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a notification endpoint
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getNotificationEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a notification endpoint and its log
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteNotificationEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of a notification endpoint; disabling it drops what it waits for
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateNotificationEndpoint"];
        trace?: never;
    };
    "/notification-endpoints/{endpoint_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a notification endpoint a new secret; both sign its requests for a while
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["rotateNotificationSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an `endpoint.test` event to a notification endpoint; its log has the result
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["testNotificationEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-endpoints/{endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to a notification endpoint in the last 7 days, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listNotificationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-endpoints/{endpoint_id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again, with the same `webhook-id`
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["replayNotificationDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the alerts of the organization, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Create an alert: endpoints are told once when its rule is broken, and once when it holds again
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an alert
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        /**
         * Delete an alert
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of an alert; a changed rule begins anew
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateAlert"];
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what in the organization, newest first
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the audit log as JSON Lines, newest first: the entries of the list, one on each line
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many days ended runs and their values are kept, and which values are redacted, also of single workflows
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change how many days ended runs and their values are kept, or which values are redacted, of the organization or of one workflow
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        patch: operations["updateRetention"];
        trace?: never;
    };
    "/data-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the 100 newest exports and erasures, with their progress and receipts
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listDataJobs"];
        put?: never;
        /**
         * Export or erase the organization, a member, or the runs with some metadata
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["createDataJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me/data-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export or erase what an organization stores of you
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        post: operations["createOwnDataJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an export or erasure; the receipt of an erasure that has ended the own access, too
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        get: operations["getDataJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-jobs/{job_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export as JSON Lines: one line with `table` and `row` for each row
         * @description For any authenticated user; X-Organization-ID is not required.
         */
        get: operations["downloadDataJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflows that take messages, as models
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant.
         */
        get: operations["listOpenAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a model
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant.
         */
        get: operations["getOpenAiModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation with a run of a workflow
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant. Passes the billing gate, which denies before anything is written.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer with a response, which is a run of a workflow
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant. Passes the billing gate, which denies before anything is written.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a response, or stream its events
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response that has ended; the record of its run stays
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/responses/{response_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the run of a response
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant.
         */
        post: operations["cancelResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openai/responses/{response_id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages that a response answers
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant.
         */
        get: operations["listResponseInput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to the MCP server, whose tools are workflows
         * @description For owners and admins of the organization in X-Organization-ID. Without the header the API key's organization, or the only one of the user, is meant. Passes the billing gate, which denies before anything is written.
         */
        post: operations["callMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find who issues tokens for the MCP server (RFC 9728)
         * @description No authentication is required.
         */
        get: operations["getProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find who issues tokens for the MCP server (RFC 9728)
         * @description No authentication is required.
         */
        get: operations["getMcpProtectedResource"];
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
         * Create a support request
         * @description For any authenticated user; X-Organization-ID is not required.
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
         * Create a support request (deprecated alias of POST /requests)
         * @deprecated
         * @description For any authenticated user; X-Organization-ID is not required.
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
         * Create a knowledge base, with the managed embedding model or the organization's own account
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
         * Retrieve a knowledge base with its statistics
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
         * Update a knowledge base; its config only while it has no documents
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
         * Search a knowledge base for the chunks most similar to a query
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
         * Upload a document; a file that was uploaded before is returned
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
         * Retrieve a document, with the progress or the error of its indexing
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
         * Retry the indexing of a failed document
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
         * List the chunks of a document, in order
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
         * The OpenAPI document
         * @description No authentication is required.
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
export interface webhooks {
    "run.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A run has completed */
        post: operations["runCompletedNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A run has failed */
        post: operations["runFailedNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A run asks a person, or waits for a callback */
        post: operations["runWaitingNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deployment became live */
        post: operations["deploymentActivatedNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "schedule.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A schedule was disabled */
        post: operations["scheduleDisabledNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alert.fired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The rule of an alert is broken */
        post: operations["alertFiredNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alert.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The rule of an alert holds again */
        post: operations["alertResolvedNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The test of one endpoint */
        post: operations["endpointTestNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AgentTool: AgentTool;
        GuardrailCheck: GuardrailCheck;
        LlmNodeConfig: LlmNodeConfig;
        ToolNodeConfig: ToolNodeConfig;
        AgentNodeConfig: AgentNodeConfig;
        FunctionNodeConfig: FunctionNodeConfig;
        ConditionalNodeConfig: ConditionalNodeConfig;
        InterruptNodeConfig: InterruptNodeConfig;
        TransformerNodeConfig: TransformerNodeConfig;
        GuardrailsNodeConfig: GuardrailsNodeConfig;
        KnowledgeNodeConfig: KnowledgeNodeConfig;
        HttpToolConfig: HttpToolConfig;
        IntegrationToolConfig: IntegrationToolConfig;
        McpToolConfig: McpToolConfig;
        WorkflowToolConfig: WorkflowToolConfig;
        RulesConditionalConfig: RulesConditionalConfig;
        LlmConditionalConfig: LlmConditionalConfig;
        ApprovalInterruptConfig: ApprovalInterruptConfig;
        InputInterruptConfig: InputInterruptConfig;
        CallbackInterruptConfig: CallbackInterruptConfig;
        WaitInterruptConfig: WaitInterruptConfig;
        MapTransformerConfig: MapTransformerConfig;
        ListTransformerConfig: ListTransformerConfig;
        TemplateTransformerConfig: TemplateTransformerConfig;
        MergeTransformerConfig: MergeTransformerConfig;
        PiiGuardrailCheck: PiiGuardrailCheck;
        SecretKeysGuardrailCheck: SecretKeysGuardrailCheck;
        KeywordsGuardrailCheck: KeywordsGuardrailCheck;
        RegexGuardrailCheck: RegexGuardrailCheck;
        UrlsGuardrailCheck: UrlsGuardrailCheck;
        JsonSchemaGuardrailCheck: JsonSchemaGuardrailCheck;
        MaxLengthGuardrailCheck: MaxLengthGuardrailCheck;
        ModerationGuardrailCheck: ModerationGuardrailCheck;
        JailbreakGuardrailCheck: JailbreakGuardrailCheck;
        TopicGuardrailCheck: TopicGuardrailCheck;
        GroundingGuardrailCheck: GroundingGuardrailCheck;
        CustomGuardrailCheck: CustomGuardrailCheck;
        CanvasPosition: CanvasPosition;
        NodeRetry: NodeRetry;
        NodeForEach: NodeForEach;
        NodeMock: NodeMock;
        Rule: Rule;
        RuleGroup: RuleGroup;
        Rules: Rules;
        Edge: Edge;
        StateField: StateField;
        WorkflowMetadata: WorkflowMetadata;
        WorkflowSettings: WorkflowSettings;
        WorkflowDefinition: WorkflowDefinition;
        WorkflowDraft: WorkflowDraft;
        LlmNode: LlmNode;
        ToolNode: ToolNode;
        AgentNode: AgentNode;
        FunctionNode: FunctionNode;
        ConditionalNode: ConditionalNode;
        InterruptNode: InterruptNode;
        TransformerNode: TransformerNode;
        GuardrailsNode: GuardrailsNode;
        KnowledgeNode: KnowledgeNode;
        Node: Node;
        CreateWorkflow: CreateWorkflow;
        JsonObject: JsonObject;
        WorkflowUpdate: WorkflowUpdate;
        NodePin: NodePin;
        CreateRun: CreateRun;
        RunConfig: RunConfig;
        CreateRunBatch: CreateRunBatch;
        BatchConfig: BatchConfig;
        RunAnswer: RunAnswer;
        Json: Json;
        InterruptAnswer: InterruptAnswer;
        Cancellation: Cancellation;
        NodeTest: NodeTest;
        Rerun: Rerun;
        DeployRequest: DeployRequest;
        CreateOrganization: CreateOrganization;
        OrganizationUpdate: OrganizationUpdate;
        RoleChange: RoleChange;
        CreateInvitation: CreateInvitation;
        CreateCredential: CreateCredential;
        CreateAuthorization: CreateAuthorization;
        AuthorizationEnd: AuthorizationEnd;
        CredentialChange: CredentialChange;
        CreateApiKey: CreateApiKey;
        CreateServiceAccount: CreateServiceAccount;
        ServiceAccountChange: ServiceAccountChange;
        CreateServiceAccountKey: CreateServiceAccountKey;
        ChatChange: ChatChange;
        AssistantMessage: AssistantMessage;
        ComposerMessage: ComposerMessage;
        ExtraUsageChange: ExtraUsageChange;
        CreateTopup: CreateTopup;
        CreateSchedule: CreateSchedule;
        ScheduleConfig: ScheduleConfig;
        ScheduleChange: ScheduleChange;
        CreateHook: CreateHook;
        HookResponse: HookResponse;
        HookAccepted: HookAccepted;
        HookResult: HookResult;
        HookResponseHeaders: HookResponseHeaders;
        HookRespond: HookRespond;
        HookChange: HookChange;
        HookRotation: HookRotation;
        HookListening: HookListening;
        ErrorWorkflowChange: ErrorWorkflowChange;
        CreateNotificationEndpoint: CreateNotificationEndpoint;
        NotificationEndpointChange: NotificationEndpointChange;
        NotificationSecretRotation: NotificationSecretRotation;
        CreateAlert: CreateAlert;
        AlertChange: AlertChange;
        RetentionChange: RetentionChange;
        CreateDataJob: CreateDataJob;
        CreateOwnDataJob: CreateOwnDataJob;
        CreateChatCompletion: CreateChatCompletion;
        CompletionStreamOptions: CompletionStreamOptions;
        OpenAiMetadata: OpenAiMetadata;
        CompletionFormat: CompletionFormat;
        CompletionJsonSchema: CompletionJsonSchema;
        CreateResponse: CreateResponse;
        ResponseReasoning: ResponseReasoning;
        ResponseText: ResponseText;
        ResponseFormat: ResponseFormat;
        CreateSupportRequest: CreateSupportRequest;
        CreateKnowledgeBase: CreateKnowledgeBase;
        CreateEmbeddingConfig: CreateEmbeddingConfig;
        KnowledgeBaseChange: KnowledgeBaseChange;
        KnowledgeSearch: KnowledgeSearch;
        DocumentUpload: DocumentUpload;
        RunCompletedNotification: RunCompletedNotification;
        NotifiedQuestion: NotifiedQuestion;
        NotifiedRun: NotifiedRun;
        RunFailedNotification: RunFailedNotification;
        RunWaitingNotification: RunWaitingNotification;
        DeploymentActivatedNotification: DeploymentActivatedNotification;
        NotifiedDeployment: NotifiedDeployment;
        ScheduleDisabledNotification: ScheduleDisabledNotification;
        NotifiedSchedule: NotifiedSchedule;
        AlertFiredNotification: AlertFiredNotification;
        NotifiedAlert: NotifiedAlert;
        AlertResolvedNotification: AlertResolvedNotification;
        EndpointTestNotification: EndpointTestNotification;
        NotifiedTest: NotifiedTest;
        RunStartedFrame: RunStartedFrame;
        NodeStartedFrame: NodeStartedFrame;
        NodeCompletedFrame: NodeCompletedFrame;
        TokenUsage: TokenUsage;
        StepWarning: StepWarning;
        NodeFailedFrame: NodeFailedFrame;
        ServiceResponse: ServiceResponse;
        Failure: Failure;
        NodeRetryFrame: NodeRetryFrame;
        NodeSkippedFrame: NodeSkippedFrame;
        NodeReusedFrame: NodeReusedFrame;
        StateUpdatedFrame: StateUpdatedFrame;
        TokenFrame: TokenFrame;
        TokenResetFrame: TokenResetFrame;
        ProgressFrame: ProgressFrame;
        ToolCallFrame: ToolCallFrame;
        InterruptFrame: InterruptFrame;
        InterruptAction: InterruptAction;
        InterruptAssignees: InterruptAssignees;
        InterruptResolvedFrame: InterruptResolvedFrame;
        RunCompletedFrame: RunCompletedFrame;
        RunFailedFrame: RunFailedFrame;
        RunCancelledFrame: RunCancelledFrame;
        RunInterruptedFrame: RunInterruptedFrame;
        OpenInterrupt: OpenInterrupt;
        PausedFrame: PausedFrame;
        HeartbeatFrame: HeartbeatFrame;
        HeartbeatNode: HeartbeatNode;
        SnapshotFrame: SnapshotFrame;
        SnapshotNode: SnapshotNode;
        SnapshotInterrupt: SnapshotInterrupt;
        StreamErrorFrame: StreamErrorFrame;
        CompletionChunkChoice: CompletionChunkChoice;
        CompletionDelta: CompletionDelta;
        CompletionUsage: CompletionUsage;
        ServiceRoot: ServiceRoot;
        Health: Health;
        Readiness: Readiness;
        HealthReport: HealthReport;
        HealthCheck: HealthCheck;
        WorkflowList: WorkflowList;
        WorkflowSummary: WorkflowSummary;
        Workflow: Workflow;
        DefinitionProblem: DefinitionProblem;
        BodyWarning: BodyWarning;
        WorkflowDeleted: WorkflowDeleted;
        WorkflowUser: WorkflowUser;
        WorkflowUsage: WorkflowUsage;
        RunStartedOrEnded: RunStartedOrEnded;
        RunMessage: RunMessage;
        OpenQuestion: OpenQuestion;
        RunStarted: RunStarted;
        RunBatchStarted: RunBatchStarted;
        BatchReceipt: BatchReceipt;
        StartRefusal: StartRefusal;
        RunResumed: RunResumed;
        AnswerRecorded: AnswerRecorded;
        AnswerCount: AnswerCount;
        RunCancelled: RunCancelled;
        RunList: RunList;
        RunListItem: RunListItem;
        InterruptList: InterruptList;
        WaitingInterrupt: WaitingInterrupt;
        InterruptResponse: InterruptResponse;
        InterruptLink: InterruptLink;
        Run: Run;
        RunCharge: RunCharge;
        RunCredits: RunCredits;
        RunStep: RunStep;
        StepAttempt: StepAttempt;
        StepToolCall: StepToolCall;
        StepOutline: StepOutline;
        Interrupt: Interrupt;
        ChildWait: ChildWait;
        ChildInterrupt: ChildInterrupt;
        Success: Success;
        RunDefinition: RunDefinition;
        RunComparison: RunComparison;
        ComparedRun: ComparedRun;
        ComparedNode: ComparedNode;
        ComparedStep: ComparedStep;
        RerunReply: RerunReply;
        RerunStarted: RerunStarted;
        RerunPlan: RerunPlan;
        RerunCounts: RerunCounts;
        RerunPlanNode: RerunPlanNode;
        Deployment: Deployment;
        DeploymentList: DeploymentList;
        DeploymentListItem: DeploymentListItem;
        DeploymentDeactivated: DeploymentDeactivated;
        DeploymentDetail: DeploymentDetail;
        DeploymentDeleted: DeploymentDeleted;
        DeploymentActivated: DeploymentActivated;
        OrganizationList: OrganizationList;
        Organization: Organization;
        OrganizationDetail: OrganizationDetail;
        MemberList: MemberList;
        Member: Member;
        Invitation: Invitation;
        InvitationList: InvitationList;
        Credential: Credential;
        CredentialList: CredentialList;
        Authorization: Authorization;
        CredentialDetail: CredentialDetail;
        CredentialUse: CredentialUse;
        CredentialTest: CredentialTest;
        CredentialToolList: CredentialToolList;
        CredentialTool: CredentialTool;
        ModelList: ModelList;
        ProviderModel: ProviderModel;
        IntegrationList: IntegrationList;
        IntegrationSummary: IntegrationSummary;
        IntegrationAuth: IntegrationAuth;
        IntegrationActionSummary: IntegrationActionSummary;
        Integration: Integration;
        IntegrationAction: IntegrationAction;
        CreatedApiKey: CreatedApiKey;
        TooManyKeys: TooManyKeys;
        ApiKeyList: ApiKeyList;
        ApiKey: ApiKey;
        ServiceAccount: ServiceAccount;
        ServiceAccountList: ServiceAccountList;
        Me: Me;
        MyOrganizationList: MyOrganizationList;
        MyOrganization: MyOrganization;
        ChatPage: ChatPage;
        Chat: Chat;
        ChatMessagePage: ChatMessagePage;
        ChatMessage: ChatMessage;
        ChatMessageError: ChatMessageError;
        AssistantAnswer: AssistantAnswer;
        ComposerAnswer: ComposerAnswer;
        Subscription: Subscription;
        Credits: Credits;
        Wallet: Wallet;
        Entitlements: Entitlements;
        DailyUsage: DailyUsage;
        DayOfUsage: DayOfUsage;
        WalletLedgerPage: WalletLedgerPage;
        WalletLedgerEntry: WalletLedgerEntry;
        PaidSubscriptionRequired: PaidSubscriptionRequired;
        Topup: Topup;
        StripeEventReceived: StripeEventReceived;
        Schedule: Schedule;
        ScheduleList: ScheduleList;
        ScheduledRunList: ScheduledRunList;
        ScheduledRun: ScheduledRun;
        ScheduleFirings: ScheduleFirings;
        ScheduleFiring: ScheduleFiring;
        Hook: Hook;
        HookRecentDeliveries: HookRecentDeliveries;
        HookList: HookList;
        HookDeliveryList: HookDeliveryList;
        HookDelivery: HookDelivery;
        HookError: HookError;
        HookRequest: HookRequest;
        SentHeaders: SentHeaders;
        HookSentResponse: HookSentResponse;
        HookReceived: HookReceived;
        CallbackAnswered: CallbackAnswered;
        ErrorWorkflow: ErrorWorkflow;
        NotificationEndpointWithSecret: NotificationEndpointWithSecret;
        NotificationEndpointList: NotificationEndpointList;
        NotificationEndpoint: NotificationEndpoint;
        NotificationDelivery: NotificationDelivery;
        NotificationAttempt: NotificationAttempt;
        NotificationDeliveryList: NotificationDeliveryList;
        Alert: Alert;
        AlertList: AlertList;
        AuditLogPage: AuditLogPage;
        AuditEntry: AuditEntry;
        AuditActor: AuditActor;
        AuditObject: AuditObject;
        Retention: Retention;
        WorkflowRetention: WorkflowRetention;
        DataJobList: DataJobList;
        DataJob: DataJob;
        DataJobProgress: DataJobProgress;
        OpenAiModelList: OpenAiModelList;
        OpenAiModel: OpenAiModel;
        OpenAiError: OpenAiError;
        OpenAiErrorFields: OpenAiErrorFields;
        ChatCompletion: ChatCompletion;
        CompletionChoice: CompletionChoice;
        CompletionMessage: CompletionMessage;
        OpenAiResponse: OpenAiResponse;
        OpenAiResponseError: OpenAiResponseError;
        OpenAiResponseIncomplete: OpenAiResponseIncomplete;
        DeletedResponse: DeletedResponse;
        ResponseInputList: ResponseInputList;
        JsonRpcError: JsonRpcError;
        JsonRpcErrorFields: JsonRpcErrorFields;
        ProtectedResource: ProtectedResource;
        SupportRequest: SupportRequest;
        KnowledgeBase: KnowledgeBase;
        EmbeddingConfig: EmbeddingConfig;
        ChunkingConfig: ChunkingConfig;
        KnowledgeBaseStats: KnowledgeBaseStats;
        KnowledgeBasePage: KnowledgeBasePage;
        KnowledgeSearchResult: KnowledgeSearchResult;
        KnowledgeMatch: KnowledgeMatch;
        KnowledgeDocument: KnowledgeDocument;
        DocumentProgress: DocumentProgress;
        DocumentError: DocumentError;
        KnowledgeDocumentPage: KnowledgeDocumentPage;
        KnowledgeChunkList: KnowledgeChunkList;
        KnowledgeChunk: KnowledgeChunk;
        DetailError: DetailError;
        StructuredError: StructuredError;
        ValidationError: ValidationError;
        Denial: Denial;
        JsonRpcMessage: JsonRpcMessage;
        RunEvent: RunEvent;
        ChatCompletionChunk: ChatCompletionChunk;
        OpenAiResponseEvent: OpenAiResponseEvent;
        HttpAgentTool: HttpAgentTool;
        IntegrationAgentTool: IntegrationAgentTool;
        McpAgentTool: McpAgentTool;
        WorkflowAgentTool: WorkflowAgentTool;
        KnowledgeAgentTool: KnowledgeAgentTool;
        Frame: Frame;
        KnowledgeToolConfig: KnowledgeToolConfig;
        NewAlert: NewAlert;
        NewApiKey: NewApiKey;
        NewAuthorization: NewAuthorization;
        NewChatCompletion: NewChatCompletion;
        NewCredential: NewCredential;
        NewEmbeddingConfig: NewEmbeddingConfig;
        NewHook: NewHook;
        NewInvitation: NewInvitation;
        NewKnowledgeBase: NewKnowledgeBase;
        NewNotificationEndpoint: NewNotificationEndpoint;
        NewOrganization: NewOrganization;
        NewResponse: NewResponse;
        NewRun: NewRun;
        NewRunBatch: NewRunBatch;
        NewSchedule: NewSchedule;
        NewSupportRequest: NewSupportRequest;
        NewTopup: NewTopup;
        NewWorkflow: NewWorkflow;
        Response: Response;
        ResponseError: ResponseError;
        ResponseEvent: ResponseEvent;
        ResponseIncomplete: ResponseIncomplete;
        SavedDraft: SavedDraft;
    };
    responses: {
        /** @description Validation failed */
        Invalid: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ValidationError;
            };
        };
        /** @description Unexpected error; with Retry-After when the database is unavailable */
        Unexpected: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description Malformed request */
        BadRequest: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description Missing or invalid credential */
        Unauthenticated: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description Not allowed */
        Forbidden: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description The request limit of the key, user or organization is exceeded */
        OrganizationLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError | StructuredError;
            };
        };
        /** @description The caller cannot be authenticated: the identity provider is unavailable */
        Unavailable: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description The request body is too large */
        TooLarge: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description The encoding or charset of the body is not supported */
        UnsupportedEncoding: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description The resource does not exist, or belongs to another organization */
        NotFound: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
        /** @description Insufficient credits or wallet balance */
        Denied: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Denial;
            };
        };
        /** @description Not allowed, or the quota is reached */
        ForbiddenOrDenied: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError | Denial;
            };
        };
        /** @description The request limit of the key or user, or the request or run limit of the organization, is exceeded */
        RunLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError | StructuredError | Denial;
            };
        };
        /** @description The request limit of the key or user is exceeded */
        CallerLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": DetailError;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The client's X-Request-ID if it has 8 to 64 characters of A-Z a-z 0-9 . _ -, else a new one */
        RequestId: string;
        /** @description Stable code of the error, for every shape of the body; codes may be added */
        ErrorCode: string;
        /** @description `Bearer`, for the MCP server with `resource_metadata` */
        WwwAuthenticate: string;
        /** @description Seconds to wait */
        RetryAfter: number;
        /** @description Requests in 60 seconds */
        RateLimitLimit: number;
        /** @description Requests left in the window */
        RateLimitRemaining: number;
        /** @description Time at which requests are allowed again, in Unix seconds */
        RateLimitReset: number;
    };
    pathItems: never;
}
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
                    "application/json": ServiceRoot;
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
                    "application/json": Health;
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    getReadiness: {
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
                    "application/json": Readiness;
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Readiness;
                };
            };
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            /** @description Too many requests */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": HealthReport;
                };
            };
            /** @description Response */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            /** @description Too many requests */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1 */
                page?: number;
                /** @description Items per page; without it all items are returned */
                page_size?: number;
                /** @description Items per page, which `cursor` selects in place of `page`; 20 with a cursor alone */
                limit?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
                /** @description Only workflows in this status */
                status?: "draft" | "active" | "archived";
                /** @description Only workflows of this category */
                category?: string;
                /** @description Only workflows of this visibility */
                visibility?: "private" | "organization" | "public" | "system";
                /** @description Only workflows with this text in the name or description */
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
                    "application/json": WorkflowList;
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
                "application/json": CreateWorkflow;
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
                    "application/json": Workflow;
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
                    "application/json": Workflow;
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
                "application/json": WorkflowUpdate;
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
                    "application/json": Workflow;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": WorkflowDeleted;
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
                "application/json": WorkflowUpdate;
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
                    "application/json": Workflow;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
    getWorkflowUsage: {
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
                    "application/json": WorkflowUsage;
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
                "application/json": NodePin;
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
                    "application/json": Workflow;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": Workflow;
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
                /** @description Requests with the same key and body within 24 hours start one run and return the same response. */
                "Idempotency-Key"?: string;
                /** @description `wait=30` waits up to 30 seconds for the result (RFC 7240), as `wait` does in the body, which wins. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateRun;
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
                    "application/json": RunStartedOrEnded;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunStarted;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    startRunBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description Requests with the same key and body within 24 hours start one run and return the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateRunBatch;
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
                    "application/json": RunBatchStarted;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    listenToRun: {
        parameters: {
            query?: {
                /** @description The last received `seq`: the stream resumes after it */
                after_seq?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The `seq` of the last event that was seen; the stream goes on after it. What is no number is ignored, and `after_seq` wins. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; answering its question continues the run under a new one */
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
                /** @description The `run_id` of the run; answering its question continues the run under a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RunAnswer;
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
                    "application/json": RunResumed;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AnswerRecorded;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                /** @description The `run_id` of the run; answering its question continues the run under a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Cancellation;
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
                    "application/json": RunCancelled;
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
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
                /** @description Only the run with this `run_id`, to find its `run_pk` */
                run_id?: string;
                /** @description Only runs of this workflow */
                workflow_id?: string;
                /** @description Only runs in this status; `completed` is an alias of `succeeded` */
                status?: "running" | "interrupted" | "succeeded" | "completed" | "failed" | "cancelled";
                /** @description Only runs with this trigger: api, schedule, webhook, chat, error or workflow */
                trigger_type?: string;
                /** @description Only runs started by this user */
                created_by?: string;
                /** @description Only runs with this key and value in their metadata: `customer:acme` */
                metadata?: string;
                /** @description Only runs created at this time or later */
                from?: string;
                /** @description Only runs created before this time */
                to?: string;
                /** @description Only runs with this text in the workflow name or in the error message */
                q?: string;
                /** @description A run continues after an answer in a new segment with its own run_id. `newest`: one item per run, including its earlier segments; `all`: one item per segment */
                segments?: "all" | "newest";
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
                    "application/json": RunList;
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
                /** @description Only pending questions are listed */
                status?: "pending";
                /** @description `me`: only questions that the caller may answer */
                assignee?: "me" | "anyone";
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
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
                    "application/json": InterruptList;
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
            query?: {
                /** @description The steps of a run with more are listed in `outline`, without their values; `steps` and `state` are empty. By default every run has its `steps` */
                max_steps?: number;
            };
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
                    "application/json": Run;
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
    deleteRun: {
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
                    "application/json": Success;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunByRunId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; answering its question continues the run under a new one */
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
                    "application/json": Run;
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
                    "application/json": RunDefinition;
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
                    "application/json": RunComparison;
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
                /** @description Requests with the same key and body within 24 hours start one run and return the same response. */
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
                "application/json": NodeTest;
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
                    "application/json": RunStarted;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                /** @description Requests with the same key and body within 24 hours start one run and return the same response. */
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
                "application/json": Rerun;
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
                    "application/json": RerunReply;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": RunStep;
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
                "application/json": DeployRequest;
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
                    "application/json": Deployment;
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
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
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
                    "application/json": DeploymentList;
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
                    "application/json": DeploymentDeactivated;
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
                    "application/json": DeploymentDetail;
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
                    "application/json": DeploymentDeleted;
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
                    "application/json": DeploymentActivated;
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
                    "application/json": OrganizationList;
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
                "application/json": CreateOrganization;
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
                    "application/json": Organization;
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
                    "application/json": OrganizationDetail;
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
                "application/json": OrganizationUpdate;
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
                    "application/json": OrganizationDetail;
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
                    "application/json": MemberList;
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
                    "application/json": Success;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": RoleChange;
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
                    "application/json": Member;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": InvitationList;
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
                "application/json": CreateInvitation;
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
                    "application/json": Invitation;
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Invitation;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": Success;
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
                    "application/json": InvitationList;
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
                    "application/json": Invitation;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineInvitation: {
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
                    "application/json": Success;
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
    listCredentials: {
        parameters: {
            query?: {
                /** @description Only credentials of this integration */
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
                    "application/json": CredentialList;
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
                "application/json": CreateCredential;
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
                    "application/json": Credential;
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
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": CreateAuthorization;
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
                    "application/json": Authorization;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": AuthorizationEnd;
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
                    "application/json": Credential;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": CredentialDetail;
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
                    "application/json": Success;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": CredentialChange;
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
                    "application/json": Credential;
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
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": CredentialTest;
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
                    "application/json": CredentialToolList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Response */
            502: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: {
                /** @description Credential of a model provider; without it, the managed endpoint */
                credential_id?: string;
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
                    "application/json": ModelList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Only integrations of this category */
                category?: string;
                /** @description Only workflows with this text in the name or description */
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
                    "application/json": IntegrationList;
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
                    "application/json": Integration;
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
                    "application/json": ApiKeyList;
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
                "application/json": CreateApiKey;
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
                    "application/json": CreatedApiKey;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TooManyKeys;
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
                    "application/json": ApiKey;
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
                    "application/json": ApiKey;
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
    listServiceAccounts: {
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
                    "application/json": ServiceAccountList;
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
    createServiceAccount: {
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
                "application/json": CreateServiceAccount;
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
                    "application/json": ServiceAccount;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
    getServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the service account */
                service_account_id: string;
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
                    "application/json": ServiceAccount;
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
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the service account */
                service_account_id: string;
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
                    "application/json": Success;
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
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the service account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ServiceAccountChange;
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
                    "application/json": ServiceAccount;
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
    listServiceAccountKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the service account */
                service_account_id: string;
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
                    "application/json": ApiKeyList;
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
    createServiceAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the service account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateServiceAccountKey;
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
                    "application/json": CreatedApiKey;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
    revokeServiceAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the service account */
                service_account_id: string;
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
                    "application/json": ApiKey;
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
                    "application/json": Me;
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
                    "application/json": MyOrganizationList;
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
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": ChatPage;
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
                    "application/json": Chat;
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
                    "application/json": Success;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": ChatChange;
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
                    "application/json": Chat;
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
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": ChatMessagePage;
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
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": ChatPage;
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
                    "application/json": Chat;
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
                    "application/json": Success;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": ChatChange;
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
                    "application/json": Chat;
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
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": ChatMessagePage;
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
                "application/json": AssistantMessage;
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
                    "application/json": AssistantAnswer;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": ComposerMessage;
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
                    "application/json": ComposerAnswer;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": Subscription;
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
    getDailyUsage: {
        parameters: {
            query?: {
                /** @description Number of days up to today */
                days?: number;
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
                    "application/json": DailyUsage;
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
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": WalletLedgerPage;
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
                "application/json": ExtraUsageChange;
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
                    "application/json": Subscription;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": PaidSubscriptionRequired;
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
                "application/json": CreateTopup;
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
                    "application/json": Topup;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": PaidSubscriptionRequired;
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    [key: string]: Json;
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
                    "application/json": StripeEventReceived;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
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
                    "application/json": ScheduleList;
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
                "application/json": CreateSchedule;
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
                    "application/json": Schedule;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": Schedule;
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
                    "application/json": Success;
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
                "application/json": ScheduleChange;
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
                    "application/json": Schedule;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": Schedule;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": Schedule;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": Success;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
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
                    "application/json": ScheduledRunList;
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
    listScheduleFirings: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
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
                    "application/json": ScheduleFirings;
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
    listHooks: {
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
                    "application/json": HookList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    createHook: {
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
                "application/json": CreateHook;
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
                    "application/json": Hook;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    getHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
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
                    "application/json": Hook;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    deleteHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
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
                    "application/json": Success;
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
    updateHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": HookChange;
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
                    "application/json": Hook;
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
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    rotateHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": HookRotation;
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
                    "application/json": Hook;
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
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    listenForHookTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": HookListening;
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
                    "application/json": Hook;
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
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    stopHookTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
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
                    "application/json": Hook;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    listHookDeliveries: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
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
                    "application/json": HookDeliveryList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    redeliverHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
                /** @description Id of the delivery */
                delivery_id: string;
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
                    "application/json": HookReceived;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    getToHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret part of the address */
                token: string;
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
                    "application/json": HookReceived;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HookReceived;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            402: components["responses"]["Denied"];
            403: components["responses"]["Denied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            405: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    putToHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret part of the address */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: Json;
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
                    "application/json": HookReceived;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HookReceived;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            402: components["responses"]["Denied"];
            403: components["responses"]["Denied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            405: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    postToHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret part of the address */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: Json;
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
                    "application/json": HookReceived;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HookReceived;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            402: components["responses"]["Denied"];
            403: components["responses"]["Denied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            405: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    answerCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret part of the address */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: Json;
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
                    "application/json": CallbackAnswered;
                };
            };
            400: components["responses"]["BadRequest"];
            402: components["responses"]["Denied"];
            403: components["responses"]["Denied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Response */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
        };
    };
    getErrorWorkflow: {
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
                    "application/json": ErrorWorkflow;
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
    setErrorWorkflow: {
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
                "application/json": ErrorWorkflowChange;
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
                    "application/json": ErrorWorkflow;
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
    listNotificationEndpoints: {
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
                    "application/json": NotificationEndpointList;
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
    createNotificationEndpoint: {
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
                "application/json": CreateNotificationEndpoint;
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
                    "application/json": NotificationEndpointWithSecret;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    getNotificationEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                endpoint_id: string;
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
                    "application/json": NotificationEndpoint;
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
    deleteNotificationEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                endpoint_id: string;
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
                    "application/json": Success;
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
    updateNotificationEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": NotificationEndpointChange;
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
                    "application/json": NotificationEndpoint;
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
    rotateNotificationSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": NotificationSecretRotation;
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
                    "application/json": NotificationEndpointWithSecret;
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
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    testNotificationEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                endpoint_id: string;
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
                    "application/json": NotificationDelivery;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotificationDeliveries: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                endpoint_id: string;
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
                    "application/json": NotificationDeliveryList;
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
    replayNotificationDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                endpoint_id: string;
                /** @description Id of the delivery */
                delivery_id: string;
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
                    "application/json": NotificationDelivery;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlerts: {
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
                    "application/json": AlertList;
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
    createAlert: {
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
                "application/json": CreateAlert;
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
                    "application/json": Alert;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
    getAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the alert */
                alert_id: string;
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
                    "application/json": Alert;
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
    deleteAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the alert */
                alert_id: string;
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
                    "application/json": Success;
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
    updateAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the alert */
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AlertChange;
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
                    "application/json": Alert;
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
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Only actions of this user or service account */
                actor_id?: string;
                /** @description Only this action, such as `credential.deleted`, or all of a type: `credential` */
                action?: string;
                /** @description Only actions on this object */
                object_id?: string;
                /** @description Only entries at or after this time */
                since?: string;
                /** @description Only entries before this time */
                until?: string;
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": AuditLogPage;
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
    exportAuditLog: {
        parameters: {
            query?: {
                /** @description Only actions of this user or service account */
                actor_id?: string;
                /** @description Only this action, such as `credential.deleted`, or all of a type: `credential` */
                action?: string;
                /** @description Only actions on this object */
                object_id?: string;
                /** @description Only entries at or after this time */
                since?: string;
                /** @description Only entries before this time */
                until?: string;
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
                    "application/jsonl": string;
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
    getRetention: {
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
                    "application/json": Retention;
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
    updateRetention: {
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
                "application/json": RetentionChange;
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
                    "application/json": Retention;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
    listDataJobs: {
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
                    "application/json": DataJobList;
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
    createDataJob: {
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
                "application/json": CreateDataJob;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DataJob;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
    createOwnDataJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateOwnDataJob;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DataJob;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
    getDataJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job */
                job_id: string;
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
                    "application/json": DataJob;
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
    downloadDataJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job */
                job_id: string;
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
                    "application/jsonl": string;
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
    listOpenAiModels: {
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
                    "application/json": OpenAiModelList;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    getOpenAiModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the model */
                model: string;
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
                    "application/json": OpenAiModel;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description Requests with the same key and body within 24 hours start one run. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateChatCompletion;
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
                    "application/json": ChatCompletion;
                    "text/event-stream": unknown;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description Response */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description Still running */
            504: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description Requests with the same key and body within 24 hours start one run. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateResponse;
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
                    "application/json": OpenAiResponse;
                    "text/event-stream": unknown;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: {
                /** @description Whether to stream the events of the response */
                stream?: "true" | "false";
                /** @description The last received `sequence_number`: the stream goes on after it */
                starting_after?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the response: `resp_` and the `run_id` of its run */
                response_id: string;
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
                    "application/json": OpenAiResponse;
                    "text/event-stream": unknown;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the response: `resp_` and the `run_id` of its run */
                response_id: string;
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
                    "application/json": DeletedResponse;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    cancelResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the response: `resp_` and the `run_id` of its run */
                response_id: string;
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
                    "application/json": OpenAiResponse;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    listResponseInput: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Order of the messages */
                order?: "asc" | "desc";
                /** @description Id of the item before the page */
                after?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the response: `resp_` and the `run_id` of its run */
                response_id: string;
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
                    "application/json": ResponseInputList;
                };
            };
            /** @description An error */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenAiError;
                };
            };
        };
    };
    callMcp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description Calls of a tool with the same key and arguments within 24 hours start one run. */
                "Idempotency-Key"?: string;
                /** @description The version of the protocol that the client speaks */
                "Mcp-Protocol-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: Json;
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
                    "application/json": JsonRpcMessage;
                    "text/event-stream": unknown;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description An error */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description An error */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description An error */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description Response */
            406: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description Response */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description Response */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description An error */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description An error */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
            /** @description An error */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JsonRpcError;
                };
            };
        };
    };
    getProtectedResource: {
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
                    "application/json": ProtectedResource;
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    getMcpProtectedResource: {
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
                    "application/json": ProtectedResource;
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
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
                "application/json": CreateSupportRequest;
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
                    "application/json": SupportRequest;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": CreateSupportRequest;
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
                    "application/json": SupportRequest;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": KnowledgeBasePage;
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
                "application/json": CreateKnowledgeBase;
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
                    "application/json": KnowledgeBase;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": KnowledgeBase;
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
                    "application/json": Success;
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
                "application/json": KnowledgeBaseChange;
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
                    "application/json": KnowledgeBase;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                "application/json": KnowledgeSearch;
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
                    "application/json": KnowledgeSearchResult;
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
            /** @description Response */
            502: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
            /** @description Service unavailable */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
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
                    "application/json": KnowledgeDocumentPage;
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
                "multipart/form-data": DocumentUpload;
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
                    "application/json": KnowledgeDocument;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": KnowledgeDocument;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                    "application/json": KnowledgeDocument;
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
                    "application/json": Success;
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
                    "application/json": KnowledgeDocument;
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
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DetailError;
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
                /** @description Items per page */
                limit?: number;
                /** @description Number of items to skip; with `cursor`, none are */
                offset?: number;
                /** @description `next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others */
                cursor?: string;
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
                    "application/json": KnowledgeChunkList;
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
                    "application/json": JsonObject;
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    runCompletedNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RunCompletedNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    runFailedNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RunFailedNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    runWaitingNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RunWaitingNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deploymentActivatedNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DeploymentActivatedNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    scheduleDisabledNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ScheduleDisabledNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alertFiredNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AlertFiredNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alertResolvedNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AlertResolvedNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endpointTestNotification: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description Seconds since 1970 of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures as of Standard Webhooks: `v1,` and Base64 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": EndpointTestNotification;
            };
        };
        responses: {
            /** @description Accepted; anything else is attempted again for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
export type AgentTool = HttpAgentTool | IntegrationAgentTool | McpAgentTool | WorkflowAgentTool | KnowledgeAgentTool;
export type GuardrailCheck = PiiGuardrailCheck | SecretKeysGuardrailCheck | KeywordsGuardrailCheck | RegexGuardrailCheck | UrlsGuardrailCheck | JsonSchemaGuardrailCheck | MaxLengthGuardrailCheck | ModerationGuardrailCheck | JailbreakGuardrailCheck | TopicGuardrailCheck | GroundingGuardrailCheck | CustomGuardrailCheck;
export interface LlmNodeConfig {
    /** @description Name of the model provider */
    provider: string;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /** @description Id of the credential with the account to use; null: the deployment's managed model */
    credential_id?: string | null;
    /** @description Messages to the model, in order; the memory of the thread is inserted after the system messages */
    messages: {
        /**
         * @description Author of the message
         * @enum {string}
         */
        role: "system" | "user" | "assistant";
        /** @description A text, or a template of one */
        content: Json;
    }[];
    /** @description Parameters of the model; null: the provider's defaults */
    parameters?: {
        /** @description Sampling temperature, 0 to 2; null: the provider's default */
        temperature?: number | null;
        /** @description Maximum number of tokens of the answer; null: the provider's default */
        max_output_tokens?: number | null;
        /** @description Reasoning effort, in the provider's spelling; null: the provider's default */
        reasoning_effort?: string | null;
    } | null;
    /** @description Format of the answer; null: any text */
    response_format?: {
        /**
         * @description Text, any JSON object, or JSON that matches `schema`
         * @enum {string}
         */
        type: "text" | "json_object" | "json_schema";
        /** @description Asks the provider to enforce the schema */
        strict?: boolean;
        /** @description JSON Schema */
        schema?: {
            [key: string]: Json;
        };
    } | null;
    /** @description Memory of the thread of the run; null: none */
    memory?: {
        /**
         * @description None, all messages of the thread up to 1,000, or the newest of them
         * @default none
         * @enum {string}
         */
        mode?: "none" | "thread" | "window";
        /** @description With `window`: maximum number of messages; null: 20 */
        max_messages?: number | null;
        /** @description With `window`: maximum number of tokens of the messages, estimated; null: unlimited */
        max_tokens?: number | null;
    } | null;
    /**
     * @description Whether tokens are streamed as `token` frames
     * @default true
     */
    stream?: boolean;
}
export type ToolNodeConfig = HttpToolConfig | IntegrationToolConfig | McpToolConfig | WorkflowToolConfig;
export interface AgentNodeConfig {
    /** @description Name of the model provider */
    provider: string;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /** @description Id of the credential with the account to use; null: the deployment's managed model */
    credential_id?: string | null;
    /** @description Messages to the model, in order; the memory of the thread is inserted after the system messages */
    messages: {
        /**
         * @description Author of the message
         * @enum {string}
         */
        role: "system" | "user" | "assistant";
        /** @description A text, or a template of one */
        content: Json;
    }[];
    /** @description Parameters of the model; null: the provider's defaults */
    parameters?: {
        /** @description Sampling temperature, 0 to 2; null: the provider's default */
        temperature?: number | null;
        /** @description Maximum number of tokens of the answer; null: the provider's default */
        max_output_tokens?: number | null;
        /** @description Reasoning effort, in the provider's spelling; null: the provider's default */
        reasoning_effort?: string | null;
    } | null;
    /** @description Format of the answer; null: any text */
    response_format?: {
        /**
         * @description Text, any JSON object, or JSON that matches `schema`
         * @enum {string}
         */
        type: "text" | "json_object" | "json_schema";
        /** @description Asks the provider to enforce the schema */
        strict?: boolean;
        /** @description JSON Schema */
        schema?: {
            [key: string]: Json;
        };
    } | null;
    /** @description Memory of the thread of the run; null: none */
    memory?: {
        /**
         * @description None, all messages of the thread up to 1,000, or the newest of them
         * @default none
         * @enum {string}
         */
        mode?: "none" | "thread" | "window";
        /** @description With `window`: maximum number of messages; null: 20 */
        max_messages?: number | null;
        /** @description With `window`: maximum number of tokens of the messages, estimated; null: unlimited */
        max_tokens?: number | null;
    } | null;
    /**
     * @description Whether tokens are streamed as `token` frames
     * @default true
     */
    stream?: boolean;
    /** @description Tools that the model may call; null: none */
    tools?: AgentTool[] | null;
    /**
     * @description Maximum number of model calls
     * @default 10
     */
    max_iterations?: number;
    /**
     * @description Maximum number of tool calls in total
     * @default 30
     */
    max_tool_calls?: number;
    /**
     * @description Whether the model may request several tool calls in one turn
     * @default true
     */
    parallel_tool_calls?: boolean;
}
export interface FunctionNodeConfig {
    /**
     * @description Programming language: JavaScript
     * @default javascript
     * @constant
     */
    language?: "javascript";
    /** @description An ES module whose default export is called with `arguments`; templates in it are not rendered */
    code: string;
    /** @description Argument of the function; values may be templates */
    arguments?: Json | null;
    /** @description JSON Schema of the returned value; null: any value */
    output_schema?: {
        [key: string]: Json;
    } | null;
    /** @description Limits of one call; null: the defaults */
    limits?: {
        /**
         * @description Timeout of one call, in milliseconds
         * @default 5000
         */
        timeout_ms?: number;
        /**
         * @description Maximum memory of one call, in MiB
         * @default 128
         */
        memory_mb?: number;
    } | null;
    /**
     * @description Network access: functions have none
     * @default none
     * @constant
     */
    network?: "none";
}
export type ConditionalNodeConfig = RulesConditionalConfig | LlmConditionalConfig;
export type InterruptNodeConfig = ApprovalInterruptConfig | InputInterruptConfig | CallbackInterruptConfig | WaitInterruptConfig;
export type TransformerNodeConfig = MapTransformerConfig | ListTransformerConfig | TemplateTransformerConfig | MergeTransformerConfig;
export interface GuardrailsNodeConfig {
    /** @description The text to check, or a template of it */
    input: Json;
    /** @description The text that the input must be grounded in; null: results of searching the knowledge bases */
    context?: Json | null;
    /** @description The checks; those by a model run last, unless the text is already blocked */
    checks: GuardrailCheck[];
    /**
     * @description When a check cannot be executed: fails the node
     * @default fail
     * @constant
     */
    on_check_error?: "fail";
    /** @description Provider of the model for checks; null when no check needs a model */
    provider?: string | null;
    /** @description Model for checks; null when no check needs a model */
    model?: string | null;
    /** @description Id of the credential with the account to use; null: the deployment's managed model */
    credential_id?: string | null;
}
export interface KnowledgeNodeConfig {
    /** @description Ids of the knowledge bases to search */
    knowledge_base_ids: string[];
    /**
     * @description Maximum number of matches
     * @default 5
     */
    top_k?: number;
    /**
     * @description Minimum score of a match
     * @default 0
     */
    min_score?: number;
    /** @description Conditions on doc_metadata and chunk_metadata; null: none */
    filters?: {
        [key: string]: Json;
    } | null;
    /**
     * @description `vector`: search by meaning
     * @default vector
     * @constant
     */
    search_mode?: "vector";
    /**
     * @description Whether matches include their text
     * @default true
     */
    include_content?: boolean;
    /**
     * @description Whether matches include their metadata
     * @default true
     */
    include_metadata?: boolean;
    /** @description The search text in natural language */
    query: string;
}
export interface HttpToolConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "http";
    /**
     * @description `GET` by default
     * @enum {string}
     */
    method?: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** @description URL with templates in its path and query; each value is encoded as one component */
    url: string;
    /** @description Request headers by name; values may be templates */
    headers?: {
        [key: string]: Json;
    } | null;
    /** @description Query parameters by name; values may be templates */
    query?: {
        [key: string]: Json;
    } | null;
    /** @description Request body, encoded by the `content-type` header: JSON, JSON lines, form, multipart, XML or text. Without the header an object is sent as JSON; null: none */
    body?: Json | null;
    /** @description Id of the credential to send with the request; null: none */
    credential_id?: string | null;
    /** @description Range of statuses that count as failures; null: 400 to 599 */
    fail_on_status?: number[] | null;
    /** @description For POST and PATCH: whether the request may be repeated when its outcome is unknown; null: no */
    effect?: ("at_least_once" | "at_most_once") | null;
    /** @description The server deduplicates requests by `Idempotency-Key`, so the request may be repeated */
    idempotent?: boolean | null;
    /** @description Answers that fail the node, whatever their status; null: none */
    fail_when?: {
        /**
         * @description Whether all rules must hold, or any
         * @default all
         * @enum {string}
         */
        match?: "all" | "any";
        /** @description Rules over `{{response}}`, which has `status`, `headers` and `data` */
        rules: (RuleGroup | Rule)[];
        /** @description Code of the error, or a template of it; null: `service_error` */
        code?: string | null;
        /** @description Message of the error; may be a template, such as `{{response.data.error}}` */
        message?: string | null;
    } | null;
    /** @description Answers after which the request may be sent again, because the service has done nothing; null: by status */
    retry_when?: Rules | null;
    /** @description Seconds before the next attempt, such as `{{response.data.retry_after}}`, in place of `Retry-After`; null: as the service asks */
    retry_after?: (number | string) | null;
}
export interface IntegrationToolConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "integration";
    /** @description Name of the integration in the catalog */
    integration: string;
    /** @description Version of the integration that the config was created with; null: any */
    integration_version?: string | null;
    /** @description Name of the action in the catalog */
    action: string;
    /** @description Id of the credential with the account to use; null: none */
    credential_id?: string | null;
    /** @description Parameters of the action by name; values may be templates */
    parameters?: {
        [key: string]: Json;
    } | null;
    /** @description Answers that fail the node, whatever their status; null: none */
    fail_when?: {
        /**
         * @description Whether all rules must hold, or any
         * @default all
         * @enum {string}
         */
        match?: "all" | "any";
        /** @description Rules over `{{response}}`, which has `status`, `headers` and `data` */
        rules: (RuleGroup | Rule)[];
        /** @description Code of the error, or a template of it; null: `service_error` */
        code?: string | null;
        /** @description Message of the error; may be a template, such as `{{response.data.error}}` */
        message?: string | null;
    } | null;
    /** @description Answers after which the request may be sent again, because the service has done nothing; null: by status */
    retry_when?: Rules | null;
    /** @description Seconds before the next attempt, such as `{{response.data.retry_after}}`, in place of `Retry-After`; null: as the service asks */
    retry_after?: (number | string) | null;
}
export interface McpToolConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "mcp";
    /** @description URL of the MCP server; null: that of the credential's account */
    server_url?: string | null;
    /** @description Name of the tool of the server */
    tool: string;
    /** @description Arguments of the tool by name; values may be templates */
    arguments?: {
        [key: string]: Json;
    } | null;
    /** @description Id of the credential with the account to use; null: none */
    credential_id?: string | null;
    /** @description SHA-256 of the server's definition of the tool, in hex: the call fails after a change; null: not checked */
    fingerprint?: string | null;
}
export interface WorkflowToolConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "workflow";
    /**
     * Format: uuid
     * @description Id of the workflow to run as a sub-workflow
     */
    workflow_id: string;
    /**
     * @description `live`, the version of a deployment, or its id
     * @default live
     */
    deployment?: string;
    /** @description Input of the sub-workflow; values may be templates */
    input?: Json | null;
    /**
     * @description Whether the node waits for the sub-workflow, for at most a day
     * @default true
     */
    wait?: boolean;
}
export interface RulesConditionalConfig {
    /**
     * @description Discriminator of the alternatives
     * @default rules
     * @constant
     */
    mode?: "rules";
    /** @description The cases in order; the first that matches is selected */
    cases: ({
        /** @description The handle of the case */
        id: string;
        /** @description Display name */
        label?: string;
    } & (RuleGroup | Rule))[];
    /**
     * @description The handle when no case matches
     * @default else
     */
    default?: string;
}
export interface LlmConditionalConfig {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    mode: "llm";
    /** @description Name of the model provider */
    provider: string;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /** @description Id of the credential with the account to use; null: the deployment's managed model */
    credential_id?: string | null;
    /** @description The text to classify; may be a template */
    input: Json;
    /** @description The cases in order; the first that matches is selected */
    cases: {
        /** @description The handle of the case */
        id: string;
        /**
         * @description Description of the case for the model
         * @default
         */
        description?: string;
        /**
         * @description Display name
         * @default
         */
        label?: string;
    }[];
    /**
     * @description The handle when the model selects no case
     * @default else
     */
    default?: string;
}
export interface ApprovalInterruptConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "approval";
    /**
     * @description Title of the question
     * @default
     */
    title?: string;
    /**
     * @description Text of the question
     * @default
     */
    message?: string;
    /** @description Data to show with the question, or a template of it; null: none */
    payload?: Json | null;
    /** @description JSON Schema of the answer's data; null: any data */
    form?: {
        [key: string]: Json;
    } | null;
    /** @description Who may answer; null or empty: any member of the organization */
    assignees?: {
        /**
         * @description Roles in the organization, any of which is sufficient
         * @default []
         */
        roles?: string[];
        /**
         * @description Ids of users, any of whom is sufficient
         * @default []
         */
        user_ids?: string[];
        /**
         * @description E-mail addresses that get a link to the question, or templates of them
         * @default []
         */
        emails?: string[];
    } | null;
    /** @description Chats that get a link to the question */
    notify?: {
        /**
         * @description The chat
         * @enum {string}
         */
        kind: "slack" | "teams" | "discord";
        /** @description A credential of the integration `chat_webhook`: the incoming webhook of a channel */
        credential_id?: string | null;
        /** @description URL of the incoming webhook, or a template of it, instead of a credential; it stands in the definition */
        url?: string | null;
    }[];
    /** @description The link is sent again each time after this long, in seconds; null: never */
    remind_after_seconds?: number | null;
    /**
     * @description E-mail addresses that get a link when nobody has answered, or templates of them
     * @default []
     */
    escalate_to?: string[];
    /**
     * @description When they get it, in seconds after the question
     * @default 86400
     */
    escalate_after_seconds?: number;
    /**
     * @description How many people must give the same answer; one when it is absent
     * @default 1
     */
    required_responses?: number;
    /** @description Timeout of the question, in seconds; null: none */
    timeout_seconds?: number | null;
    /**
     * @description On timeout: fails the node, follows the handle `timeout`, or answers with `default_response`
     * @default fail
     * @enum {string}
     */
    on_timeout?: "fail" | "branch" | "default";
    /** @description The answer on timeout; null: none */
    default_response?: {
        /** @description The action of the answer; null: none */
        action?: string | null;
        /** @description The data of the answer; null: none */
        data?: Json | null;
    } | null;
    /** @description The possible answers */
    actions: {
        /** @description The handle of the answer */
        id: string;
        /** @description Display name; the id by default */
        label?: string;
        /** @description How many people must select this action; `required_responses` of the question by default */
        required_responses?: number;
    }[];
}
export interface InputInterruptConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "input";
    /**
     * @description Title of the question
     * @default
     */
    title?: string;
    /**
     * @description Text of the question
     * @default
     */
    message?: string;
    /** @description Data to show with the question, or a template of it; null: none */
    payload?: Json | null;
    /** @description JSON Schema of the answer's data; null: any data */
    form?: {
        [key: string]: Json;
    } | null;
    /** @description Who may answer; null or empty: any member of the organization */
    assignees?: {
        /**
         * @description Roles in the organization, any of which is sufficient
         * @default []
         */
        roles?: string[];
        /**
         * @description Ids of users, any of whom is sufficient
         * @default []
         */
        user_ids?: string[];
        /**
         * @description E-mail addresses that get a link to the question, or templates of them
         * @default []
         */
        emails?: string[];
    } | null;
    /** @description Chats that get a link to the question */
    notify?: {
        /**
         * @description The chat
         * @enum {string}
         */
        kind: "slack" | "teams" | "discord";
        /** @description A credential of the integration `chat_webhook`: the incoming webhook of a channel */
        credential_id?: string | null;
        /** @description URL of the incoming webhook, or a template of it, instead of a credential; it stands in the definition */
        url?: string | null;
    }[];
    /** @description The link is sent again each time after this long, in seconds; null: never */
    remind_after_seconds?: number | null;
    /**
     * @description E-mail addresses that get a link when nobody has answered, or templates of them
     * @default []
     */
    escalate_to?: string[];
    /**
     * @description When they get it, in seconds after the question
     * @default 86400
     */
    escalate_after_seconds?: number;
    /**
     * @description How many people must give the same answer; one when it is absent
     * @default 1
     */
    required_responses?: number;
    /** @description Timeout of the question, in seconds; null: none */
    timeout_seconds?: number | null;
    /**
     * @description On timeout: fails the node, follows the handle `timeout`, or answers with `default_response`
     * @default fail
     * @enum {string}
     */
    on_timeout?: "fail" | "branch" | "default";
    /** @description The answer on timeout; null: none */
    default_response?: {
        /** @description The action of the answer; null: none */
        action?: string | null;
        /** @description The data of the answer; null: none */
        data?: Json | null;
    } | null;
}
export interface CallbackInterruptConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "callback";
    /**
     * @description Title that people see while the run waits
     * @default
     */
    title?: string;
    /**
     * @description Text that people see while the run waits
     * @default
     */
    message?: string;
    /** @description Data to show with the question, or a template of it; null: none */
    payload?: Json | null;
    /**
     * @description Timeout of the callback, in seconds; a week by default
     * @default 604800
     */
    timeout_seconds?: number;
    /**
     * @description On timeout: fails the node, follows the handle `timeout`, or answers with `default_response`
     * @default fail
     * @enum {string}
     */
    on_timeout?: "fail" | "branch" | "default";
    /** @description The answer on timeout; null: none */
    default_response?: {
        /** @description The action of the answer; null: none */
        action?: string | null;
        /** @description The data of the answer; null: none */
        data?: Json | null;
    } | null;
}
export interface WaitInterruptConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "wait";
    /** @description Duration of the wait in seconds, or a template of it; at most a year */
    duration_seconds?: (number | string) | null;
    /** @description End of the wait, ISO 8601, or a template of it; a time in the past does not wait */
    until?: string | null;
}
export interface MapTransformerConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    mode: "map";
    /** @description The fields of the output; values may be templates */
    fields: {
        [key: string]: Json;
    };
    /** @description Response for the sender of a webhook with `"response": {"mode": "respond"}`; null: none */
    respond?: {
        /** @description Status, 200 to 299 or 400 to 599, or a template of it; 200 by default */
        status?: number | string;
        /**
         * @description Content-Type of the body; a body that is no text is JSON
         * @default application/json
         * @enum {string}
         */
        content_type?: "application/json" | "text/plain" | "text/csv" | "application/xml" | "text/xml";
        /**
         * @description Headers: names that begin with `X-`, and `Retry-After`; values may be templates
         * @default {}
         */
        headers?: {
            [key: string]: string;
        };
        /** @description Body, a value with templates; the output of the node by default */
        body?: Json;
    } | null;
}
export interface ListTransformerConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    mode: "list";
    /** @description The array, or a template of it */
    source: Json;
    /** @description Condition on each item, as `item` and `index`; null: keeps all items */
    filter?: Rules | null;
    /** @description Sort keys, the most significant first; null: keeps the order */
    sort?: {
        /**
         * @description Path into the item; empty: the item itself
         * @default
         */
        by?: string;
        /**
         * @description Sort order; null comes last in both
         * @default asc
         * @enum {string}
         */
        order?: "asc" | "desc";
    }[] | null;
    /** @description Maximum number of items; null: unlimited */
    limit?: number | null;
    /** @description Template of each output item, with `item` and `index`; null: the item itself */
    select?: Json | null;
    /** @description Response for the sender of a webhook with `"response": {"mode": "respond"}`; null: none */
    respond?: {
        /** @description Status, 200 to 299 or 400 to 599, or a template of it; 200 by default */
        status?: number | string;
        /**
         * @description Content-Type of the body; a body that is no text is JSON
         * @default application/json
         * @enum {string}
         */
        content_type?: "application/json" | "text/plain" | "text/csv" | "application/xml" | "text/xml";
        /**
         * @description Headers: names that begin with `X-`, and `Retry-After`; values may be templates
         * @default {}
         */
        headers?: {
            [key: string]: string;
        };
        /** @description Body, a value with templates; the output of the node by default */
        body?: Json;
    } | null;
}
export interface TemplateTransformerConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    mode: "template";
    /** @description A text with templates */
    template: string;
    /**
     * @description Whether the output is the rendered text or its parsed JSON. In JSON, inserted values are escaped
     * @default text
     * @enum {string}
     */
    parse_as?: "text" | "json";
    /** @description Response for the sender of a webhook with `"response": {"mode": "respond"}`; null: none */
    respond?: {
        /** @description Status, 200 to 299 or 400 to 599, or a template of it; 200 by default */
        status?: number | string;
        /**
         * @description Content-Type of the body; a body that is no text is JSON
         * @default application/json
         * @enum {string}
         */
        content_type?: "application/json" | "text/plain" | "text/csv" | "application/xml" | "text/xml";
        /**
         * @description Headers: names that begin with `X-`, and `Retry-After`; values may be templates
         * @default {}
         */
        headers?: {
            [key: string]: string;
        };
        /** @description Body, a value with templates; the output of the node by default */
        body?: Json;
    } | null;
}
export interface MergeTransformerConfig {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    mode: "merge";
    /** @description The values to merge, in order; values may be templates */
    sources: Json[];
    /**
     * @description Takes the first value that is not null, concatenates arrays, or merges objects, where later ones win
     * @default first_non_null
     * @enum {string}
     */
    strategy?: "first_non_null" | "concat" | "deep_merge";
    /** @description Response for the sender of a webhook with `"response": {"mode": "respond"}`; null: none */
    respond?: {
        /** @description Status, 200 to 299 or 400 to 599, or a template of it; 200 by default */
        status?: number | string;
        /**
         * @description Content-Type of the body; a body that is no text is JSON
         * @default application/json
         * @enum {string}
         */
        content_type?: "application/json" | "text/plain" | "text/csv" | "application/xml" | "text/xml";
        /**
         * @description Headers: names that begin with `X-`, and `Retry-After`; values may be templates
         * @default {}
         */
        headers?: {
            [key: string]: string;
        };
        /** @description Body, a value with templates; the output of the node by default */
        body?: Json;
    } | null;
}
export interface PiiGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "pii";
    /**
     * @description Kinds of personal data to find
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
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "mask" | "flag";
}
export interface SecretKeysGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "secret_keys";
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "mask" | "flag";
}
export interface KeywordsGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "keywords";
    /** @description Words and phrases to find */
    keywords: string[];
    /**
     * @description Whether upper and lower case are distinguished
     * @default false
     */
    case_sensitive?: boolean;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "mask" | "flag";
}
export interface RegexGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "regex";
    /** @description Regular expression in RE2 syntax */
    pattern: string;
    /**
     * @description Whether the text must match or must not match
     * @default no_match
     * @enum {string}
     */
    expect?: "match" | "no_match";
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "mask" | "flag";
}
export interface UrlsGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "urls";
    /**
     * @description Allowed hosts of URLs; empty: none
     * @default []
     */
    allowed_hosts?: string[];
    /**
     * @description Allowed schemes of URLs
     * @default [
     *       "https",
     *       "http"
     *     ]
     */
    allowed_schemes?: string[];
    /**
     * @description Whether subdomains of allowed hosts are allowed
     * @default true
     */
    allow_subdomains?: boolean;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "mask" | "flag";
}
export interface JsonSchemaGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "json_schema";
    /** @description JSON Schema */
    schema: {
        [key: string]: Json;
    };
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "flag";
}
export interface MaxLengthGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "max_length";
    /** @description Maximum number of characters */
    max: number;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "flag";
}
export interface ModerationGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "moderation";
    /**
     * @description Categories of harmful content; empty: the common ones
     * @default []
     */
    categories?: string[];
    /**
     * @description Score from 0 to 1: a finding at or above it; for `grounding`, below it
     * @default 0.7
     */
    threshold?: number;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "flag";
}
export interface JailbreakGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "jailbreak";
    /**
     * @description Score from 0 to 1: a finding at or above it; for `grounding`, below it
     * @default 0.7
     */
    threshold?: number;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "flag";
}
export interface TopicGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "topic";
    /** @description Allowed topics */
    topics: string[];
    /**
     * @description Score from 0 to 1: a finding at or above it; for `grounding`, below it
     * @default 0.7
     */
    threshold?: number;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "flag";
}
export interface GroundingGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "grounding";
    /** @description Ids of the knowledge bases to search; by default `context` of the node is used */
    knowledge_base_ids?: string[];
    /**
     * @description Maximum number of matches
     * @default 5
     */
    top_k?: number;
    /**
     * @description Score from 0 to 1: a finding at or above it; for `grounding`, below it
     * @default 0.7
     */
    threshold?: number;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "flag";
}
export interface CustomGuardrailCheck {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "custom";
    /** @description Description of texts that are findings */
    instructions: string;
    /**
     * @description Score from 0 to 1: a finding at or above it; for `grounding`, below it
     * @default 0.7
     */
    threshold?: number;
    /**
     * @description Effect of a finding: blocks the text, masks the finding, or only reports it
     * @default block
     * @enum {string}
     */
    action?: "block" | "flag";
}
/** @description Position on the canvas */
export interface CanvasPosition {
    /** @description Horizontal position in pixels, increasing to the right */
    x: number;
    /** @description Vertical position in pixels, increasing downward */
    y: number;
}
/** @description Retry policy for transient failures */
export interface NodeRetry {
    /** @description The default depends on the type */
    max_attempts?: number;
    /**
     * @description Delay before the second attempt
     * @default 1000
     */
    initial_interval_ms?: number;
    /**
     * @description Factor by which the delay grows with each attempt
     * @default 2
     */
    backoff_coefficient?: number;
    /**
     * @description Maximum delay between attempts
     * @default 30000
     */
    max_interval_ms?: number;
}
/** @description Runs the node once for each item */
export interface NodeForEach {
    /** @description An array, or a template of one */
    items: string | Json[];
    /**
     * @description Name of the item in templates
     * @default item
     */
    as?: string;
    /**
     * @description Maximum number of concurrent items
     * @default 5
     */
    max_concurrency?: number;
    /**
     * @description Maximum number of items; more fail the node
     * @default 1000
     */
    max_items?: number;
    /**
     * @description When an item fails: fails the node, sets null in `results` and adds the error to `errors`, or drops the item
     * @default fail
     * @enum {string}
     */
    on_item_error?: "fail" | "continue" | "drop";
}
/** @description A fixed output, used instead of running the node */
export interface NodeMock {
    /**
     * @description Whether the fixed output is used
     * @default false
     */
    enabled?: boolean;
    /** @description The fixed output */
    output?: Json;
}
/** @description A comparison; operators of one operand have no `right` */
export interface Rule {
    /** @description The left operand, or a template of it */
    left: Json;
    /**
     * @description The operator. Numeric strings are compared as numbers only by size operators; `matches` uses RE2
     * @enum {string}
     */
    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "in" | "not_in" | "is_empty" | "is_not_empty" | "exists" | "not_exists" | "is_true" | "is_false";
    /** @description The right operand, or a template of it */
    right?: Json;
}
/** @description Rules of which all or any must match */
export interface RuleGroup {
    /**
     * @description Whether all rules must match, or any
     * @default all
     * @enum {string}
     */
    match?: "all" | "any";
    /** @description The rules and groups of rules */
    rules: (RuleGroup | Rule)[];
}
export type Rules = RuleGroup | Rule | (RuleGroup | Rule)[];
export interface Edge {
    /** @description Id of the edge, and of the loop that it closes, in templates: `{{loop.id.iteration}}` */
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
    /** @description Condition: the edge is taken only when it holds */
    when?: Rules;
}
export interface StateField {
    /** @description Type of the value, informational */
    type?: string;
    /**
     * @description Replaces the value, appends to an array, or merges objects
     * @default none
     * @enum {string}
     */
    reducer?: "none" | "add" | "update";
    /** @description Initial value of the field */
    default?: Json;
}
/** @description Source of the fields of the same names of the workflow; `mcp` has `enabled`, `name` and `description` of the workflow as a tool of the MCP server */
export interface WorkflowMetadata {
    /** @description Name of the workflow, 1 to 255 characters */
    name?: string;
    /** @description Short description; null or empty: none */
    description?: string | null;
    /** @description Version label, such as 1.0.0 */
    version?: string | null;
    /** @description Tags to filter by */
    tags?: string[] | null;
    /** @description The workflow as a tool of the MCP server */
    mcp?: Json;
}
/** @description Settings of every run; `output` is the template of the run's output */
export interface WorkflowSettings {
    /** @description Template of the run's output; by default the output of the nodes before `__end__` */
    output?: Json;
    /**
     * @description A template path that does not exist fails the node
     * @default false
     */
    strict_templates?: boolean;
    /** @description Maximum number of nodes on one path of a run, including loops; 100 by default */
    recursion_limit?: number;
    /** @description Interval at which model tokens are batched into one frame, in milliseconds; 50 by default */
    batch_interval_ms?: number;
}
/** @description A valid workflow. A draft may be saved with errors; they are listed in `problems`. */
export interface WorkflowDefinition {
    /** @description Name, description, version and tags of the workflow */
    metadata?: WorkflowMetadata;
    /** @description Settings of every run of the workflow */
    config?: WorkflowSettings;
    /** @description State fields, in addition to one for each node */
    state_schema?: {
        /** @description The declared state fields by name */
        fields?: {
            [key: string]: StateField;
        };
    };
    /** @description The nodes, without `__start__` and `__end__` */
    nodes: Node[];
    /** @description The edges between nodes */
    edges: Edge[];
    /**
     * @description The node where a run starts
     * @default __start__
     */
    entry_point?: string;
    /** @description Parameters of the run input, for forms */
    input_parameters?: {
        [key: string]: Json;
    }[];
    /** @description Stored as sent; not used by the service */
    end_points?: Json;
    /** @description Position of `__start__` on the canvas */
    start_position?: CanvasPosition;
}
/** @description A graph as it was saved, with mistakes or in other spellings */
export interface WorkflowDraft {
    /** @description Name, description, version and tags of the workflow */
    metadata?: WorkflowMetadata;
    /** @description Settings of every run of the workflow, as saved */
    config?: {
        [key: string]: Json;
    };
    /** @description The nodes, without `__start__` and `__end__` */
    nodes: unknown[];
    /** @description The edges between nodes */
    edges: unknown[];
    readonly [savedByService]: true;
}
/**
 * @example {
 *       "id": "classify",
 *       "type": "llm",
 *       "name": "Classify",
 *       "position": {
 *         "x": 240,
 *         "y": 80
 *       },
 *       "retry": {
 *         "max_attempts": 3
 *       },
 *       "config": {
 *         "provider": "openai",
 *         "model": "gpt-4.1",
 *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
 *         "messages": [
 *           {
 *             "role": "user",
 *             "content": "What is this about? {{input.text}}"
 *           }
 *         ],
 *         "response_format": {
 *           "type": "json_schema",
 *           "schema": {
 *             "type": "object",
 *             "required": [
 *               "topic"
 *             ],
 *             "properties": {
 *               "topic": {
 *                 "type": "string"
 *               }
 *             }
 *           }
 *         }
 *       }
 *     }
 */
export interface LlmNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "llm";
    /** @description Config of the node; it may contain templates */
    config: LlmNodeConfig;
}
/**
 * @example {
 *       "id": "customer",
 *       "type": "tool",
 *       "timeout_ms": 10000,
 *       "config": {
 *         "kind": "http",
 *         "method": "GET",
 *         "url": "https://company.example/crm/customers/{{input.customer}}"
 *       }
 *     }
 * @example {
 *       "id": "notify",
 *       "type": "tool",
 *       "config": {
 *         "kind": "integration",
 *         "integration": "slack",
 *         "action": "send_message",
 *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
 *         "parameters": {
 *           "channel": "#support",
 *           "text": "New ticket about {{classify.data.topic}}"
 *         }
 *       }
 *     }
 * @example {
 *       "id": "weather",
 *       "type": "tool",
 *       "config": {
 *         "kind": "mcp",
 *         "server_url": "https://company.example/mcp",
 *         "tool": "forecast",
 *         "arguments": {
 *           "city": "{{input.city}}"
 *         }
 *       }
 *     }
 * @example {
 *       "id": "refund",
 *       "type": "tool",
 *       "config": {
 *         "kind": "workflow",
 *         "workflow_id": "a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606",
 *         "input": {
 *           "amount": "{{input.amount}}"
 *         }
 *       }
 *     }
 */
export interface ToolNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "tool";
    /** @description Config of the node; it may contain templates */
    config: ToolNodeConfig;
}
/**
 * @example {
 *       "id": "support",
 *       "type": "agent",
 *       "config": {
 *         "provider": "openai",
 *         "model": "gpt-4.1",
 *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
 *         "messages": [
 *           {
 *             "role": "user",
 *             "content": "{{input.question}}"
 *           }
 *         ],
 *         "tools": [
 *           {
 *             "kind": "knowledge",
 *             "name": "search_handbook",
 *             "knowledge_base_ids": [
 *               "718293a4-b5c6-47d8-89ea-ebfc0d1e0010"
 *             ]
 *           },
 *           {
 *             "kind": "workflow",
 *             "name": "refund",
 *             "workflow_id": "a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606",
 *             "approval": "always"
 *           }
 *         ]
 *       }
 *     }
 */
export interface AgentNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "agent";
    /** @description Config of the node; it may contain templates */
    config: AgentNodeConfig;
}
/**
 * @example {
 *       "id": "words",
 *       "type": "function",
 *       "config": {
 *         "code": "export default ({text}) => ({count: text.split(' ').length})",
 *         "arguments": {
 *           "text": "{{input.text}}"
 *         },
 *         "limits": {
 *           "timeout_ms": 2000,
 *           "memory_mb": 32
 *         }
 *       }
 *     }
 */
export interface FunctionNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "function";
    /** @description Config of the node; it may contain templates */
    config: FunctionNodeConfig;
}
/**
 * @example {
 *       "id": "route",
 *       "type": "conditional",
 *       "config": {
 *         "mode": "rules",
 *         "cases": [
 *           {
 *             "id": "urgent",
 *             "rules": [
 *               {
 *                 "left": "{{classify.data.score}}",
 *                 "op": "gte",
 *                 "right": 0.8
 *               }
 *             ]
 *           }
 *         ],
 *         "default": "else"
 *       }
 *     }
 * @example {
 *       "id": "choose",
 *       "type": "conditional",
 *       "config": {
 *         "mode": "llm",
 *         "provider": "openai",
 *         "model": "gpt-4.1",
 *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
 *         "input": "{{input.text}}",
 *         "cases": [
 *           {
 *             "id": "refund",
 *             "description": "Wants money back"
 *           }
 *         ]
 *       }
 *     }
 */
export interface ConditionalNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "conditional";
    /** @description Config of the node; it may contain templates */
    config: ConditionalNodeConfig;
}
/**
 * @example {
 *       "id": "approve",
 *       "type": "interrupt",
 *       "config": {
 *         "kind": "approval",
 *         "title": "Refund {{input.amount}}?",
 *         "actions": [
 *           {
 *             "id": "approve",
 *             "label": "Approve"
 *           },
 *           {
 *             "id": "reject",
 *             "label": "Reject"
 *           }
 *         ],
 *         "timeout_seconds": 259200,
 *         "on_timeout": "branch"
 *       }
 *     }
 * @example {
 *       "id": "address",
 *       "type": "interrupt",
 *       "config": {
 *         "kind": "input",
 *         "title": "Where to?",
 *         "form": {
 *           "type": "object",
 *           "required": [
 *             "street"
 *           ],
 *           "properties": {
 *             "street": {
 *               "type": "string"
 *             }
 *           }
 *         }
 *       }
 *     }
 * @example {
 *       "id": "paid",
 *       "type": "interrupt",
 *       "config": {
 *         "kind": "callback",
 *         "title": "Payment",
 *         "timeout_seconds": 3600
 *       }
 *     }
 * @example {
 *       "id": "later",
 *       "type": "interrupt",
 *       "config": {
 *         "kind": "wait",
 *         "duration_seconds": 3600
 *       }
 *     }
 */
export interface InterruptNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "interrupt";
    /** @description Config of the node; it may contain templates */
    config: InterruptNodeConfig;
}
/**
 * @example {
 *       "id": "hello",
 *       "type": "transformer",
 *       "config": {
 *         "mode": "template",
 *         "template": "Hello {{input.name}}"
 *       }
 *     }
 * @example {
 *       "id": "shape",
 *       "type": "transformer",
 *       "config": {
 *         "mode": "map",
 *         "fields": {
 *           "topic": "{{classify.data.topic}}"
 *         }
 *       }
 *     }
 * @example {
 *       "id": "best",
 *       "type": "transformer",
 *       "config": {
 *         "mode": "list",
 *         "source": "{{search.matches}}",
 *         "filter": {
 *           "left": "{{item.score}}",
 *           "op": "gte",
 *           "right": 0.5
 *         },
 *         "limit": 10,
 *         "select": "{{item.content}}"
 *       }
 *     }
 * @example {
 *       "id": "either",
 *       "type": "transformer",
 *       "config": {
 *         "mode": "merge",
 *         "sources": [
 *           "{{shape}}",
 *           "{{customer.data}}"
 *         ],
 *         "strategy": "deep_merge"
 *       }
 *     }
 * @example {
 *       "id": "reply",
 *       "type": "transformer",
 *       "config": {
 *         "mode": "map",
 *         "fields": {
 *           "order_id": "{{order.data.id}}"
 *         },
 *         "respond": {
 *           "status": 201,
 *           "headers": {
 *             "X-Order": "{{order.data.id}}"
 *           },
 *           "body": {
 *             "id": "{{order.data.id}}"
 *           }
 *         }
 *       }
 *     }
 */
export interface TransformerNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "transformer";
    /** @description Config of the node; it may contain templates */
    config: TransformerNodeConfig;
}
/**
 * @example {
 *       "id": "screen",
 *       "type": "guardrails",
 *       "config": {
 *         "input": "{{input.text}}",
 *         "checks": [
 *           {
 *             "type": "pii",
 *             "entities": [
 *               "EMAIL"
 *             ],
 *             "action": "mask"
 *           },
 *           {
 *             "type": "max_length",
 *             "max": 10000,
 *             "action": "block"
 *           }
 *         ]
 *       }
 *     }
 */
export interface GuardrailsNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "guardrails";
    /** @description Config of the node; it may contain templates */
    config: GuardrailsNodeConfig;
}
/**
 * @example {
 *       "id": "search",
 *       "type": "knowledge",
 *       "config": {
 *         "knowledge_base_ids": [
 *           "718293a4-b5c6-47d8-89ea-ebfc0d1e0010"
 *         ],
 *         "query": "{{input.question}}",
 *         "top_k": 5
 *       }
 *     }
 */
export interface KnowledgeNode {
    /** @description Name of the output in templates */
    id: string;
    /** @description Display name; the id by default */
    name?: string;
    /** @description Position of the node on the canvas */
    position?: CanvasPosition;
    /** @description Retry policy for transient failures */
    retry?: NodeRetry;
    /** @description Timeout of one attempt; the default depends on the type */
    timeout_ms?: number;
    /**
     * @description After the last attempt: fails the run, continues with `default_output`, or follows the handle `error`
     * @enum {string}
     */
    on_error?: "fail" | "continue" | "branch";
    /** @description The output after a failure when `on_error` is `continue`; `error` is added to it */
    default_output?: Json;
    /**
     * @description Waits for all incoming edges, or for the first that is taken
     * @default all
     * @enum {string}
     */
    join?: "all" | "any";
    /** @description Runs the node once for each item of an array */
    for_each?: NodeForEach;
    /** @description Templates by state field, rendered when the node completes */
    state_updates?: {
        [key: string]: Json;
    };
    /**
     * @description Does not run the node and follows its `default` edges
     * @default false
     */
    disabled?: boolean;
    /** @description A fixed output, used instead of running the node */
    mock?: NodeMock;
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "knowledge";
    /** @description Config of the node; it may contain templates */
    config: KnowledgeNodeConfig;
}
export type Node = LlmNode | ToolNode | AgentNode | FunctionNode | ConditionalNode | InterruptNode | TransformerNode | GuardrailsNode | KnowledgeNode;
export interface CreateWorkflow {
    /** @description Name of the workflow; required here or in the metadata of the definition */
    name?: string;
    /** @description Short description; null or empty: none */
    description?: string | null;
    /** @description Version label, such as 1.0.0; null: none */
    version?: string;
    /** @description Tags to filter by */
    tags?: string[];
    /** @description Category to filter by; null: none */
    category?: string | null;
    /**
     * @description A label without effect on runs; archived workflows are not offered to the Assistant
     * @enum {string}
     */
    status?: "draft" | "active" | "archived";
    /**
     * @description Visibility: `private` has the effect of `organization`; `system` is reserved for the operator
     * @enum {string}
     */
    visibility?: "private" | "organization" | "public";
    /** @description Default input of runs; copied into each deployment */
    input?: JsonObject;
    /** @description Default settings of runs; copied into each deployment */
    config?: JsonObject;
    /** @description The definition: the graph of nodes and edges */
    workflow_schema: WorkflowDefinition | SavedDraft;
    /** @description The organization that owns it; X-Organization-ID by default */
    organization_id?: string | null;
}
export interface JsonObject {
    [key: string]: Json;
}
export interface WorkflowUpdate {
    /** @description Display name */
    name?: string;
    /** @description Short description; null or empty: none */
    description?: string | null;
    /** @description Version label, such as 1.0.0; null: none */
    version?: string;
    /** @description Tags to filter by */
    tags?: string[];
    /** @description Category to filter by; null: none */
    category?: string | null;
    /**
     * @description A label without effect on runs; archived workflows are not offered to the Assistant
     * @enum {string}
     */
    status?: "draft" | "active" | "archived";
    /**
     * @description Visibility: `private` has the effect of `organization`; `system` is reserved for the operator
     * @enum {string}
     */
    visibility?: "private" | "organization" | "public";
    /** @description Default input of runs; copied into each deployment */
    input?: JsonObject;
    /** @description Default settings of runs; copied into each deployment */
    config?: JsonObject;
    /** @description The definition: the graph of nodes and edges */
    workflow_schema?: WorkflowDefinition | SavedDraft;
    /** @description The `edit_version` that the change is based on; 409 when it is another by now */
    expected_edit_version?: number;
}
export interface NodePin {
    /**
     * Format: uuid
     * @description Id, in the history, of the run with the output
     */
    run_pk: string;
    /** @description Number of the visit of the node, in a loop; the last by default */
    visit?: number;
}
export interface CreateRun {
    /** @description Runs the live deployment of this workflow; not together with `workflow` */
    workflow_id?: string | null;
    /** @description An inline definition to run without a deployment; not together with `workflow_id` */
    workflow?: (WorkflowDefinition | SavedDraft) | null;
    /** @description Name of a built-in workflow, instead of `workflow` and `workflow_id` */
    system_workflow?: string | null;
    /** @description With `workflow`: the workflow in whose history the run is listed */
    attribution_workflow_id?: string | null;
    /** @description Removed: a body with only `llm` is answered 410. */
    llm?: unknown;
    /** @description Input of the run, merged over the default input of the deployment */
    input?: JsonObject | null;
    /** @description Settings of the run; they override those of the deployment and of the definition */
    config?: RunConfig | null;
    /**
     * @description Whether the client intends to stream the events; the stream is available either way
     * @default true
     */
    stream?: boolean;
    /**
     * @description Whether the run is left out of the history and of threads
     * @default false
     */
    ephemeral?: boolean;
    /**
     * @description Whether only its creator and owners of the organization see the run
     * @default false
     */
    is_private?: boolean;
    /** @description Up to 20 names and values to find the run by, such as `{"customer": "acme"}`; not secret: members of the organization and operators see them */
    metadata?: {
        [key: string]: string;
    } | null;
    /** @description Seconds to wait for the result: the answer is 200 with the output, or 202 while the run goes on. `Prefer: wait=30` says the same. */
    wait?: number;
}
export interface RunConfig {
    /** @description Id of the thread to run on; a new thread by default */
    thread_id?: string;
    /** @description Maximum number of nodes on one path of a run, including loops; 100 by default */
    recursion_limit?: number;
    /** @description Interval at which model tokens are batched into one frame, in milliseconds; 50 by default */
    batch_interval_ms?: number;
}
export interface CreateRunBatch {
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description The input of each run */
    inputs: JsonObject[];
    /** @description Limits of each run, over those of the deployment */
    config?: BatchConfig | null;
    /**
     * @description Whether only its creator and owners of the organization see the run
     * @default false
     */
    is_private?: boolean;
    /** @description Up to 20 names and values to find the run by, such as `{"customer": "acme"}`; not secret: members of the organization and operators see them */
    metadata?: {
        [key: string]: string;
    } | null;
}
export interface BatchConfig {
    /** @description Maximum number of nodes on one path of a run, including loops; 100 by default */
    recursion_limit?: number;
    /** @description Interval at which model tokens are batched into one frame, in milliseconds; 50 by default */
    batch_interval_ms?: number;
}
export type RunAnswer = {
    /** @description Id of the question, sent with the answer */
    interrupt_id?: string;
    /** @description Id of the selected action, if the question has actions */
    action?: string | null;
    /** @description Data of the answer, matching the `form` of the question */
    data?: Json;
    /** @description Several answers; not together with `interrupt_id` */
    responses?: InterruptAnswer[];
    /** @description Whether the client intends to stream the events; by default as at the start */
    stream?: boolean;
} & (unknown | unknown);
/** @description Any JSON value */
export type Json = string | number | boolean | null | unknown[] | {
    [key: string]: unknown;
};
export interface InterruptAnswer {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /** @description Id of the selected action, if the question has actions */
    action?: string | null;
    /** @description Data of the answer, matching the `form` of the question */
    data?: Json;
}
export interface Cancellation {
    /** @description Reason, shown in the history */
    reason?: string | null;
}
export interface NodeTest {
    /** @description State fields and outputs of other nodes by id; they override those of the past run */
    state?: JsonObject;
    /** @description Input of the run; that of the past run by default */
    input?: JsonObject;
    /**
     * Format: uuid
     * @description Id, in the history, of a past run with the state and outputs for the templates of the node
     */
    from_run_pk?: string;
    /**
     * @description Confirms the side effects of the node; required when it, a tool of it, or a sub-workflow that it calls sends requests other than GET, HEAD and OPTIONS, or messages to people
     * @default false
     */
    confirm_effects?: boolean;
}
export interface Rerun {
    /** @description The node to start from: it and the nodes after it run again; the others are reused */
    from_node_id?: string;
    /** @description Number of the visit of the node, in a loop; the last by default */
    from_visit?: number;
    /**
     * @description `failed`: the failed nodes and the nodes after them run again
     * @constant
     */
    from?: "failed";
    /** @description Input for the nodes that run, instead of the input of the run */
    input?: JsonObject;
    /** @description Outputs by node id, used instead of the outputs of the run */
    overrides?: {
        [key: string]: Json;
    };
    /**
     * @description The definition to run. In another one a node is reused when it and all nodes before it are unchanged
     * @default same
     * @enum {string}
     */
    definition?: "same" | "live" | "draft";
    /**
     * @description Returns the plan without starting a run
     * @default false
     */
    dry_run?: boolean;
    /**
     * @description Confirms that effects of the run are repeated for which no node was named: those of `effects_to_confirm` in the plan
     * @default false
     */
    confirm_effects?: boolean;
}
export interface DeployRequest {
    /** @description Note of the user who deployed it; null: none */
    deployment_note?: string | null;
    /** @description URL of an image of the canvas, not fetched by the service; null: none */
    schema_image_url?: string | null;
}
export interface CreateOrganization {
    /** @description Display name */
    name: string;
}
export interface OrganizationUpdate {
    /** @description Display name */
    name?: string;
    /** @description Domain of the organization, not verified; empty: none */
    domain?: string;
    /** @description Free-form settings; an update replaces all of them */
    settings?: {
        [key: string]: Json;
    };
    /** @description Days after their end that runs are kept, 1 to 3,650; null: for good. Shorter deletes older runs within minutes */
    run_retention_days?: number | null;
}
export interface RoleChange {
    /**
     * @description The new role of the member
     * @enum {string}
     */
    role: "owner" | "admin";
}
export interface CreateInvitation {
    /**
     * Format: email
     * @description Email address of the person
     */
    email: string;
    /**
     * @description The role of the person after joining
     * @constant
     */
    role: "admin";
}
export interface CreateCredential {
    /** @description Display name */
    name: string;
    /** @description Name of the integration in the catalog */
    integration: string;
    /** @description Authentication type of the integration */
    auth_type: string;
    /** @description The secret, matching the integration's auth schema; never returned */
    data: {
        [key: string]: Json;
    };
    /** @description Hosts that may receive the secret: `host:port`, or `host` for https; null: the host of the account */
    allowed_hosts?: string[] | null;
    /** @description The organization that owns it; X-Organization-ID by default */
    organization_id?: string | null;
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at?: string | null;
}
export interface CreateAuthorization {
    /** @description Name of the integration in the catalog */
    integration: string;
    /** @description Name of the credential; required for a new one */
    name?: string;
    /** @description OAuth scopes, requested or granted */
    scopes?: string[];
    /**
     * Format: uuid
     * @description Id of an OAuth credential to reauthorize
     */
    credential_id?: string;
}
export interface AuthorizationEnd {
    /** @description OAuth `state`: identifies the authorization in the redirect */
    state: string;
    /** @description OAuth authorization code of the redirect */
    code?: string;
    /** @description OAuth error code of the redirect, instead of `code` */
    error?: string;
}
export interface CredentialChange {
    /** @description Display name */
    name?: string;
    /** @description The secret, matching the integration's auth schema; never returned */
    data?: {
        [key: string]: Json;
    };
    /** @description `host:port`, or `host` for https on port 443 */
    allowed_hosts?: string[];
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at?: string | null;
    /**
     * @description Disables the credential; new data enables it again
     * @constant
     */
    status?: "revoked";
}
export interface CreateApiKey {
    /** @description Display name */
    name: string;
    /** @description Restricts the key to one organization, of which the caller is a member. Null: valid in all organizations of its owner */
    organization_id?: string | null;
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at?: string | null;
    /**
     * @description Maximum number of requests in 60 seconds
     * @default 60
     */
    rate_limit_per_minute?: number;
}
export interface CreateServiceAccount {
    /** @description Name of the program that uses it */
    name: string;
    /**
     * @description Role of the account in the organization; only owners may create owners
     * @default admin
     * @enum {string}
     */
    role?: "owner" | "admin";
    /** @description Requests in 60 seconds, across all keys of the account; at most what the plan allows */
    rate_limit_per_minute?: number;
}
export interface ServiceAccountChange {
    /** @description Display name */
    name?: string;
    /**
     * @description Role of the account in the organization; only owners may make owners
     * @enum {string}
     */
    role?: "owner" | "admin";
    /** @description Requests in 60 seconds, across all keys of the account; at most what the plan allows */
    rate_limit_per_minute?: number;
}
export interface CreateServiceAccountKey {
    /** @description Display name */
    name: string;
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at?: string | null;
    /** @description Requests in 60 seconds with this key; the limit of the account by default */
    rate_limit_per_minute?: number;
}
export interface ChatChange {
    /** @description Title of the chat */
    title?: string;
    /** @description Whether the user pinned the chat; the order of lists does not change */
    pinned?: boolean;
}
export interface AssistantMessage {
    /** @description Message of the user */
    message: string;
    /** @description The model to use; null: the deployment's managed model */
    llm?: {
        /** @description Name of the model provider */
        provider?: string | null;
        /** @description Name of the model, in the provider's spelling */
        model?: string | null;
        /** @description Id of the credential with the account to use; null: the deployment's managed model */
        credential_id?: string | null;
    } | null;
    /** @description Id of the thread of the chat to continue; a new chat by default */
    thread_id?: string;
}
export interface ComposerMessage {
    /** @description Message of the user */
    message: string;
    /** @description Id of the workflow to edit; null: the workflow of the chat, or a new one in a new chat */
    workflow_id?: string | null;
    /** @description Id of the thread of the chat to continue; a new chat by default */
    thread_id?: string;
    /** @description When the Composer edits a workflow, the new definition is the output of the node `save`; it is not saved */
    propose?: boolean;
    /** @description The model to use; null: the deployment's managed model */
    llm?: {
        /** @description Name of the model provider */
        provider?: string | null;
        /** @description Name of the model, in the provider's spelling */
        model?: string | null;
        /** @description Id of the credential with the account to use; null: the deployment's managed model */
        credential_id?: string | null;
    } | null;
}
export interface ExtraUsageChange {
    /** @description Whether to charge usage beyond the monthly credits to the wallet */
    enabled: boolean;
}
export interface CreateTopup {
    /** @description Credits to buy; 100 credits are one currency unit */
    amount: number;
}
export interface CreateSchedule {
    /**
     * Format: uuid
     * @description Id of the workflow whose live deployment runs
     */
    workflow_id: string;
    /** @description Display name */
    name: string;
    /** @description Minute, hour, day of month, month, day of week. Both day fields must match. At most once a minute. */
    cron_expression: string;
    /** @description IANA time zone of the cron expression; UTC by default */
    timezone?: string;
    /** @description Input of each run, merged over the default input of the deployment */
    input?: JsonObject | null;
    /** @description Settings of each run */
    config?: ScheduleConfig | null;
    /**
     * @description Whether the schedule starts runs
     * @default true
     */
    enabled?: boolean;
    /**
     * @description When a run of the schedule is still open at the next time, such as one that waits for an answer: `skip` skips the time and counts it in `skipped_count`, `buffer_one` starts one run afterwards and skips the rest, `allow_all` starts a concurrent run, and the others end the open run
     * @default skip
     * @enum {string}
     */
    overlap_policy?: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
    /**
     * @description Maximum delay of a run after an outage, in seconds
     * @default 60
     */
    catchup_window_seconds?: number;
    /** @description No runs before this time, ISO 8601 UTC; null: no limit */
    start_at?: string | null;
    /** @description No runs after this time, ISO 8601 UTC; null: no limit */
    end_at?: string | null;
    /** @description Disables the schedule after this number of runs; null: unlimited */
    max_runs?: number | null;
    /** @description The organization that owns it; X-Organization-ID by default */
    organization_id?: string | null;
}
export interface ScheduleConfig {
    /** @description Id of the thread to run on; a new thread for each run by default */
    thread_id?: string;
    /** @description Maximum number of nodes on one path of a run, including loops; 100 by default */
    recursion_limit?: number;
    /** @description Interval at which model tokens are batched into one frame, in milliseconds; 50 by default */
    batch_interval_ms?: number;
}
export interface ScheduleChange {
    /** @description Display name */
    name?: string;
    /** @description Minute, hour, day of month, month, day of week. Both day fields must match. At most once a minute. */
    cron_expression?: string;
    /** @description IANA time zone of the cron expression; UTC by default */
    timezone?: string;
    /** @description Input of each run, merged over the default input of the deployment */
    input?: JsonObject;
    /** @description Settings of each run */
    config?: ScheduleConfig;
    /** @description Whether the schedule starts runs */
    enabled?: boolean;
    /**
     * @description When a run of the schedule is still open at the next time, such as one that waits for an answer: `skip` skips the time and counts it in `skipped_count`, `buffer_one` starts one run afterwards and skips the rest, `allow_all` starts a concurrent run, and the others end the open run
     * @enum {string}
     */
    overlap_policy?: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
    /** @description Maximum delay of a run after an outage, in seconds */
    catchup_window_seconds?: number;
    /** @description No runs before this time, ISO 8601 UTC; null: no limit */
    start_at?: string | null;
    /** @description No runs after this time, ISO 8601 UTC; null: no limit */
    end_at?: string | null;
    /** @description Disables the schedule after this number of runs; null: unlimited */
    max_runs?: number | null;
}
export interface CreateHook {
    /** @description Name of the webhook, for people */
    name: string;
    /**
     * @description Whether the address starts runs; a disabled one answers 404
     * @default true
     */
    enabled?: boolean;
    /**
     * @description How requests prove their sender
     * @default none
     * @enum {string}
     */
    verification?: "none" | "bearer" | "basic" | "standard" | "github" | "stripe" | "slack";
    /**
     * @description Secrets of the sender, of which any may have signed; `user:password` for `basic`, base64 of 24 to 64 bytes for `standard`. They are never shown
     * @default []
     */
    secrets?: string[];
    /**
     * @description Methods whose requests start runs; others are 405. HEAD starts none. Link previews send GET, so it is for senders that can do no other
     * @default [
     *       "POST",
     *       "PUT"
     *     ]
     */
    methods?: ("POST" | "PUT" | "GET")[];
    /** @description Rules over `method`, `headers`, `query` and `body`; null: every request starts a run */
    filter?: Json | null;
    /** @description Templates that make the input of the run; null: the body, or the query of a request without one */
    mapping?: JsonObject | null;
    /**
     * @description How requests of 24 hours are recognized as one event: by the id of the sender, where a request without one starts a run; by method, query and body; or not at all. Of a sender that signs, only what is signed counts: the body by content, and the body for both ways of `github`
     * @default sender_id
     * @enum {string}
     */
    deduplicate_by?: "sender_id" | "content" | "none";
    /** @description Header with the id of an event, for `sender_id`; null: `Idempotency-Key` for `none`, `bearer` and `basic`, `webhook-id` for `standard`, the body for `github`, its `id` for `stripe` and its `event_id` for `slack`, or time and body without one. A header that is named here is not signed */
    id_header?: string | null;
    /** @description How the sender is answered: by default 202 once the run is accepted, the result of the run, or what `respond` of a node says */
    response?: HookResponse;
}
export type HookResponse = HookAccepted | HookResult | HookRespond;
export interface HookAccepted {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    mode: "accepted";
}
export interface HookResult {
    /**
     * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s; `respond`: what a node says, at the latest after 30 s
     * @enum {string}
     */
    mode: "result";
    /** @description Status of the answer with a result; 200 by default */
    status?: number;
    /** @description Headers of the answer: names that begin with `X-`, and `Retry-After` */
    headers?: HookResponseHeaders;
    /** @description Template of the answer over `output` and `run_id`; the output by default */
    body?: Json;
}
export interface HookResponseHeaders {
    [key: string]: string;
}
/** @description The response of the first node with `respond`; the output when the run ends without one */
export interface HookRespond {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    mode: "respond";
}
export interface HookChange {
    /** @description Name of the webhook, for people */
    name?: string;
    /** @description Whether the address starts runs; a disabled one answers 404 */
    enabled?: boolean;
    /**
     * @description How requests prove their sender
     * @enum {string}
     */
    verification?: "none" | "bearer" | "basic" | "standard" | "github" | "stripe" | "slack";
    /** @description Secrets of the sender, of which any may have signed; `user:password` for `basic`, base64 of 24 to 64 bytes for `standard`. They are never shown */
    secrets?: string[];
    /** @description Methods whose requests start runs; others are 405. HEAD starts none. Link previews send GET, so it is for senders that can do no other */
    methods?: ("POST" | "PUT" | "GET")[];
    /** @description Rules over `method`, `headers`, `query` and `body`; null: every request starts a run */
    filter?: Json | null;
    /** @description Templates that make the input of the run; null: the body, or the query of a request without one */
    mapping?: JsonObject | null;
    /**
     * @description How requests of 24 hours are recognized as one event: by the id of the sender, where a request without one starts a run; by method, query and body; or not at all. Of a sender that signs, only what is signed counts: the body by content, and the body for both ways of `github`
     * @enum {string}
     */
    deduplicate_by?: "sender_id" | "content" | "none";
    /** @description Header with the id of an event, for `sender_id`; null: `Idempotency-Key` for `none`, `bearer` and `basic`, `webhook-id` for `standard`, the body for `github`, its `id` for `stripe` and its `event_id` for `slack`, or time and body without one. A header that is named here is not signed */
    id_header?: string | null;
    /** @description How the sender is answered: by default 202 once the run is accepted, the result of the run, or what `respond` of a node says */
    response?: HookResponse;
}
export interface HookRotation {
    /**
     * @description How long the previous address keeps working, in seconds
     * @default 86400
     */
    keep_previous_seconds?: number;
}
export interface HookListening {
    /**
     * @description How long to listen, in seconds
     * @default 120
     */
    seconds?: number;
}
export interface ErrorWorkflowChange {
    /** @description The workflow that is started when a run fails; null: none */
    error_workflow_id: string | null;
}
export interface CreateNotificationEndpoint {
    /** @description Name of the endpoint, for people */
    name: string;
    /** @description URL that events are posted to: http or https, of a public host */
    url: string;
    /**
     * @description Types of the events that are sent; all of them by default
     * @default [
     *       "run.completed",
     *       "run.failed",
     *       "run.waiting",
     *       "deployment.activated",
     *       "schedule.disabled",
     *       "alert.fired",
     *       "alert.resolved"
     *     ]
     */
    event_types?: ("run.completed" | "run.failed" | "run.waiting" | "deployment.activated" | "schedule.disabled" | "alert.fired" | "alert.resolved")[];
    /** @description The workflows whose events are sent; null: those of all */
    workflow_ids?: string[] | null;
    /**
     * @description Whether events are sent; disabling the endpoint fails its pending deliveries
     * @default true
     */
    enabled?: boolean;
}
export interface NotificationEndpointChange {
    /** @description Name of the endpoint, for people */
    name?: string;
    /** @description URL that events are posted to: http or https, of a public host */
    url?: string;
    /** @description Types of the events that are sent; all of them by default */
    event_types?: ("run.completed" | "run.failed" | "run.waiting" | "deployment.activated" | "schedule.disabled" | "alert.fired" | "alert.resolved")[];
    /** @description The workflows whose events are sent; null: those of all */
    workflow_ids?: string[] | null;
    /** @description Whether events are sent; disabling the endpoint fails its pending deliveries */
    enabled?: boolean;
}
export interface NotificationSecretRotation {
    /**
     * @description How long the previous secret signs as well, in seconds
     * @default 86400
     */
    keep_previous_seconds?: number;
}
export interface CreateAlert {
    /** @description Name of the alert, for people */
    name: string;
    /**
     * @description `failures_in_row`; `failure_rate` of at least 5 runs in the window; `silence`: no run; `duration`; `cost` in credits
     * @enum {string}
     */
    kind: "failures_in_row" | "failure_rate" | "silence" | "duration" | "cost";
    /** @description The workflow whose runs count; null: all workflows of the organization */
    workflow_id?: string | null;
    /** @description Value from which the alert fires: runs, percent, seconds or credits; `silence` has none */
    threshold?: number | null;
    /** @description Length of the window in minutes; for `silence` the limit; `failures_in_row` has none */
    window_minutes?: number | null;
    /**
     * @description Whether the alert is checked
     * @default true
     */
    enabled?: boolean;
}
export interface AlertChange {
    /** @description Name of the alert, for people */
    name?: string;
    /** @description Value from which the alert fires: runs, percent, seconds or credits; `silence` has none */
    threshold?: number;
    /** @description Length of the window in minutes; for `silence` the limit; `failures_in_row` has none */
    window_minutes?: number;
    /** @description Whether the alert is checked */
    enabled?: boolean;
}
export interface RetentionChange {
    /**
     * Format: uuid
     * @description The workflow to change; absent: the organization
     */
    workflow_id?: string;
    /** @description Days after their end that runs are kept, 1 to 3,650; null: for good. Shorter deletes older runs within minutes */
    run_retention_days?: number | null;
    /** @description Days after their end that inputs, outputs, state, messages and events of runs are kept, 1 to 3,650; null: as long as the runs */
    value_retention_days?: number | null;
    /** @description Paths whose values new runs replace by `[redacted]` before anything is stored: names separated by dots, `*` for one level, `**` for any depth, such as `customer.ssn`, `**.password` or `items.*.card`; at most 50 */
    redacted_paths?: string[];
    /** @description Days that new entries of the audit log are kept, 90 to 3,650, set by owners alone; null: for good */
    audit_retention_days?: number | null;
}
export interface CreateDataJob {
    /**
     * @description `export` writes a file; `erasure` deletes for good
     * @enum {string}
     */
    kind: "export" | "erasure";
    /**
     * @description What the job is about: the organization, a member, or the runs with some metadata
     * @enum {string}
     */
    subject: "organization" | "member" | "metadata";
    /**
     * Format: uuid
     * @description The member; needed for the subject `member`
     */
    user_id?: string;
    /** @description Pairs that the metadata of a run includes; needed for the subject `metadata` */
    metadata?: {
        [key: string]: string;
    };
    /** @description Name of the organization; needed to erase the organization */
    confirm?: string;
}
export interface CreateOwnDataJob {
    /**
     * @description `export` writes a file; `erasure` deletes for good
     * @enum {string}
     */
    kind: "export" | "erasure";
    /**
     * Format: uuid
     * @description The organization that stores the data
     */
    organization_id: string;
    /** @description For an erasure: your email address */
    confirm?: string;
}
export interface CreateChatCompletion {
    /** @description A model of GET /openai/models: the slug of the name of a workflow, or its id */
    model: string;
    /** @description The conversation, oldest message first: each has a `role` and a `content` */
    messages: JsonObject[];
    /** @description Whether the answer is streamed */
    stream?: boolean | null;
    /** @description Options of a stream */
    stream_options?: CompletionStreamOptions | null;
    /** @description Pairs that a run can have are the metadata of its run, by which the history finds it */
    metadata?: OpenAiMetadata | null;
    /** @description Temperature of the model that answers; 1 leaves that of the workflow */
    temperature?: number | null;
    /** @description Not supported by workflows: only `1`, the default, is accepted */
    top_p?: Json | null;
    /** @description Not supported by workflows: only `0`, the default, is accepted */
    top_logprobs?: Json | null;
    /** @description Not supported by workflows: tools belong to the agents of the workflow; an empty list is accepted */
    tools?: Json | null;
    /** @description Not supported by workflows: tools belong to the agents of the workflow; `none` and `auto` are accepted */
    tool_choice?: Json | null;
    /** @description Accepted: it does not change the answer */
    parallel_tool_calls?: Json | null;
    /** @description Accepted: it does not change the answer */
    user?: Json | null;
    /** @description Accepted: it does not change the answer */
    safety_identifier?: Json | null;
    /** @description Accepted: it does not change the answer */
    prompt_cache_key?: Json | null;
    /** @description Accepted: it does not change the answer */
    prompt_cache_retention?: Json | null;
    /** @description Accepted: it does not change the answer */
    service_tier?: Json | null;
    /** @description Maximum number of tokens of the model that answers */
    max_tokens?: number | null;
    /** @description Maximum number of tokens of the model that answers */
    max_completion_tokens?: number | null;
    /** @description Effort of the model that answers */
    reasoning_effort?: string | null;
    /** @description Format of the answer, given to the model that answers */
    response_format?: CompletionFormat | null;
    /** @description Not supported by workflows: only `1`, the default, is accepted */
    n?: Json | null;
    /** @description Not supported by workflows: tools belong to the agents of the workflow; an empty list is accepted */
    functions?: Json | null;
    /** @description Not supported by workflows: tools belong to the agents of the workflow; `none` and `auto` are accepted */
    function_call?: Json | null;
    /** @description Not supported by workflows: an answer has no stop sequences; an empty list is accepted */
    stop?: Json | null;
    /** @description Not supported by workflows: nothing but null is accepted */
    seed?: Json | null;
    /** @description Not supported by workflows: only `false`, the default, is accepted */
    logprobs?: Json | null;
    /** @description Not supported by workflows: only an empty object is accepted */
    logit_bias?: Json | null;
    /** @description Not supported by workflows: only `0`, the default, is accepted */
    frequency_penalty?: Json | null;
    /** @description Not supported by workflows: only `0`, the default, is accepted */
    presence_penalty?: Json | null;
    /** @description Not supported by workflows: answers are text; `["text"]` is accepted */
    modalities?: Json | null;
    /** @description Not supported by workflows: nothing but null is accepted */
    audio?: Json | null;
    /** @description Not supported by workflows: nothing but null is accepted */
    web_search_options?: Json | null;
    /** @description Not supported by workflows: only `medium`, the default, is accepted */
    verbosity?: Json | null;
    /** @description Accepted: it does not change the answer */
    prediction?: Json | null;
    /** @description Accepted: it does not change the answer */
    store?: Json | null;
}
export interface CompletionStreamOptions {
    /** @description Whether a last chunk has the tokens of the run */
    include_usage?: boolean | null;
    /** @description Accepted: it does not change the answer */
    include_obfuscation?: Json | null;
}
export interface OpenAiMetadata {
    [key: string]: string;
}
export interface CompletionFormat {
    /**
     * @description Text, any JSON object, or JSON that matches a schema
     * @enum {string}
     */
    type: "text" | "json_object" | "json_schema";
    /** @description The schema of `json_schema` */
    json_schema?: CompletionJsonSchema | null;
}
export interface CompletionJsonSchema {
    /** @description Name of the format */
    name?: string | null;
    /** @description Description of the format */
    description?: string | null;
    /** @description Whether the provider is asked to enforce the schema */
    strict?: boolean | null;
    /** @description JSON Schema of the answer */
    schema: JsonObject;
}
export interface CreateResponse {
    /** @description A model of GET /openai/models: the slug of the name of a workflow, or its id */
    model: string;
    /** @description A text of the user, or the items of a conversation */
    input: string | JsonObject[];
    /** @description A system message before the input */
    instructions?: string | null;
    /** @description Whether the answer is streamed */
    stream?: boolean | null;
    /** @description Whether to answer once the run is accepted, before its end */
    background?: boolean | null;
    /** @description The response whose thread, and memory of its models, this one goes on with */
    previous_response_id?: string | null;
    /** @description False: the run is ephemeral, and its response cannot be retrieved later */
    store?: boolean | null;
    /** @description Returned with the response whenever it is read; pairs that a run can have are the metadata of its run as well */
    metadata?: OpenAiMetadata | null;
    /** @description Temperature of the model that answers; 1 leaves that of the workflow */
    temperature?: number | null;
    /** @description Not supported by workflows: only `1`, the default, is accepted */
    top_p?: Json | null;
    /** @description Not supported by workflows: only `0`, the default, is accepted */
    top_logprobs?: Json | null;
    /** @description Not supported by workflows: tools belong to the agents of the workflow; an empty list is accepted */
    tools?: Json | null;
    /** @description Not supported by workflows: tools belong to the agents of the workflow; `none` and `auto` are accepted */
    tool_choice?: Json | null;
    /** @description Accepted: it does not change the answer */
    parallel_tool_calls?: Json | null;
    /** @description Accepted: it does not change the answer */
    user?: Json | null;
    /** @description Accepted: it does not change the answer */
    safety_identifier?: Json | null;
    /** @description Accepted: it does not change the answer */
    prompt_cache_key?: Json | null;
    /** @description Accepted: it does not change the answer */
    prompt_cache_retention?: Json | null;
    /** @description Accepted: it does not change the answer */
    service_tier?: Json | null;
    /** @description Maximum number of tokens of the model that answers */
    max_output_tokens?: number | null;
    /** @description Reasoning of the model that answers; its summary is not part of the answer */
    reasoning?: ResponseReasoning | null;
    /** @description How the answer is written */
    text?: ResponseText | null;
    /** @description Not supported by workflows: in this API it is `text.format` */
    response_format?: Json | null;
    /** @description Accepted: it does not change the answer */
    max_tool_calls?: Json | null;
    /** @description Accepted: it does not change the answer */
    stream_options?: Json | null;
    /** @description Not supported by workflows: only `disabled`, the default, is accepted */
    truncation?: Json | null;
    /** @description Not supported by workflows: `previous_response_id` goes on with a conversation */
    conversation?: Json | null;
    /** @description Not supported by workflows: nothing but null is accepted */
    prompt?: Json | null;
    /** @description Not supported by workflows: nothing but null is accepted */
    context_management?: Json | null;
    /** @description Not supported by workflows: an answer has no log probabilities */
    include?: Json | null;
}
export interface ResponseReasoning {
    /** @description Effort of the model that answers */
    effort?: string | null;
    /** @description Accepted: it does not change the answer */
    summary?: Json | null;
    /** @description Accepted: it does not change the answer */
    generate_summary?: Json | null;
}
export interface ResponseText {
    /** @description Format of the answer, given to the model that answers */
    format?: ResponseFormat | null;
    /** @description Not supported by workflows: only `medium`, the default, is accepted */
    verbosity?: Json | null;
}
export interface ResponseFormat {
    /**
     * @description Text, any JSON object, or JSON that matches a schema
     * @enum {string}
     */
    type: "text" | "json_object" | "json_schema";
    /** @description Name of the format */
    name?: string | null;
    /** @description Description of the format */
    description?: string | null;
    /** @description Whether the provider is asked to enforce the schema */
    strict?: boolean | null;
    /** @description JSON Schema of the answer */
    schema?: JsonObject | null;
}
export interface CreateSupportRequest {
    /** @description Subject of the request */
    subject: string;
    /** @description Text of the request */
    message: string;
    /** @description The organization of the request; null: none */
    organization_id?: string | null;
}
export interface CreateKnowledgeBase {
    /** @description Display name */
    name: string;
    /** @description Short description; null or empty: none */
    description?: string | null;
    /** @description The embedding model; null: the managed one */
    embedding_config?: CreateEmbeddingConfig | null;
    /** @description How documents are split into chunks; null: the defaults */
    chunking_config?: {
        /**
         * @description Chunking strategy: full chunks that end at the best boundary in their second half
         * @default recursive
         * @constant
         */
        strategy?: "recursive";
        /**
         * @description Maximum number of tokens in a chunk
         * @default 800
         */
        chunk_size?: number;
        /** @description Number of tokens that a chunk shares with the previous one */
        chunk_overlap?: number;
        /**
         * @description Unit of the sizes
         * @default tokens
         * @constant
         */
        unit?: "tokens";
    } | null;
    /** @description Embedding model on the organization's own account; the managed one by default */
    credential_id?: string | null;
    /** @description The organization that owns it; X-Organization-ID by default */
    organization_id?: string | null;
}
export interface CreateEmbeddingConfig {
    /** @description Name of the provider; null: the managed one */
    provider?: string | null;
    /** @description Name of the model; null: the managed one */
    model?: string | null;
    /** @description Id of the credential with the organization's own account; null: the managed account */
    credential_id?: string | null;
    /** @description Number of dimensions of the embeddings; null: the model's default */
    dimensions?: number | null;
}
export interface KnowledgeBaseChange {
    /** @description Display name */
    name?: string;
    /** @description Short description; null or empty: none */
    description?: string;
    /** @description The embedding model; null: the managed one */
    embedding_config?: CreateEmbeddingConfig;
    /** @description How documents are split into chunks; null: the defaults */
    chunking_config?: {
        /**
         * @description Chunking strategy: full chunks that end at the best boundary in their second half
         * @default recursive
         * @constant
         */
        strategy?: "recursive";
        /**
         * @description Maximum number of tokens in a chunk
         * @default 800
         */
        chunk_size?: number;
        /** @description Number of tokens that a chunk shares with the previous one */
        chunk_overlap?: number;
        /**
         * @description Unit of the sizes
         * @default tokens
         * @constant
         */
        unit?: "tokens";
    };
    /** @description Id of the credential with the organization's own account; null: the managed account */
    credential_id?: string | null;
}
export interface KnowledgeSearch {
    /** @description The search text in natural language */
    query: string;
    /**
     * @description Maximum number of matches
     * @default 5
     */
    top_k?: number;
    /**
     * @description Minimum score of a match
     * @default 0
     */
    min_score?: number;
    /** @description Conditions on doc_metadata and chunk_metadata; null: none */
    filters?: JsonObject | null;
    /**
     * @description Whether matches include their text
     * @default true
     */
    include_content?: boolean;
    /**
     * @description Whether matches include their metadata
     * @default true
     */
    include_metadata?: boolean;
}
export interface DocumentUpload {
    /**
     * Format: binary
     * @description Text, Markdown, HTML, PDF or DOCX; at most 25 MiB
     */
    file: string;
    /** @description Name of the document; the file name by default */
    name?: string;
    /** @description Metadata as a JSON object, for filters of searches */
    doc_metadata?: string;
    /** @description Chunking config of the document as a JSON object; that of the knowledge base by default */
    chunking_config?: string;
}
export interface RunCompletedNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "run.completed";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedRun;
}
export interface NotifiedQuestion {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description `approval`, `input`, `tool_approval` or `callback` */
    kind: string;
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at: string | null;
}
export interface NotifiedRun {
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /**
     * Format: uuid
     * @description Id of the run in the history: `run_pk` in paths
     */
    run_pk: string;
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string | null;
    /** @description Trigger of the run: `api`, `schedule`, `webhook`, `chat`, `error` for an error workflow, or `workflow` for a node of another run */
    trigger_type: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Time of the start, ISO 8601 UTC */
    started_at: string | null;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /** @description Duration in milliseconds; null until the end */
    duration_ms: number | null;
    /** @description Why the run has failed; null: it has not */
    error: Json;
    /** @description The questions that wait for an answer; null: none */
    questions: NotifiedQuestion[] | null;
    /** @description Codes of answers that are not whole: `answer_truncated`, `model_refused` */
    warnings: string[];
}
export interface RunFailedNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "run.failed";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedRun;
}
export interface RunWaitingNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "run.waiting";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedRun;
}
export interface DeploymentActivatedNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "deployment.activated";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedDeployment;
}
export interface NotifiedDeployment {
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /**
     * Format: uuid
     * @description Id of the deployment; null for a run without one
     */
    deployment_id: string;
    /** @description Version label, such as 1.0.0; null: none */
    version: string;
    /** @description Note of the user who deployed it; null: none */
    deployment_note: string | null;
    /** @description Id of the user who deployed it, also after the user was deleted */
    deployed_by: string | null;
    /** @description Id of the deployment that was live before; null: none */
    previous_deployment_id: string | null;
}
export interface ScheduleDisabledNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "schedule.disabled";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedSchedule;
}
export interface NotifiedSchedule {
    /**
     * Format: uuid
     * @description Id of the schedule
     */
    schedule_id: string;
    /** @description Display name */
    name: string;
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description Why the service disabled the schedule; null: a person did */
    reason: string | null;
}
export interface AlertFiredNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "alert.fired";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedAlert;
}
export interface NotifiedAlert {
    /**
     * Format: uuid
     * @description Id of the alert
     */
    alert_id: string;
    /** @description Display name */
    name: string;
    /** @description Discriminator of the alternatives */
    kind: string;
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id: string | null;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string | null;
    /** @description Threshold of the alert; null: it has none */
    threshold: number | null;
    /** @description Length of the window in minutes; for `silence` the limit; `failures_in_row` has none */
    window_minutes: number | null;
    /** @description The measured value; null: nothing to measure */
    value: number | null;
    /**
     * Format: date-time
     * @description When the alert began to fire
     */
    fired_at: string;
    /** @description When its rule held again; null: it is firing */
    resolved_at: string | null;
}
export interface AlertResolvedNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "alert.resolved";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedAlert;
}
export interface EndpointTestNotification {
    /**
     * @description Discriminator of the alternatives
     * @constant
     */
    type: "endpoint.test";
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The facts of the event */
    data: NotifiedTest;
}
export interface NotifiedTest {
    /**
     * Format: uuid
     * @description Id of the notification endpoint
     */
    endpoint_id: string;
    /** @description Display name */
    name: string;
}
/**
 * @example {
 *       "type": "run_started",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 1,
 *       "workflow_id": "a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606",
 *       "workflow_name": "Greeting",
 *       "workflow_version": "2.0.0",
 *       "workflow_source": "database",
 *       "deployment_id": "d4c3b2a1-5c6d-4e7f-8091-a2b3c4d57707",
 *       "chat_id": "4e5f6071-8293-44a5-96b7-b8c9daebdd0d",
 *       "ephemeral": false,
 *       "reason": "initial"
 *     }
 */
export interface RunStartedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "run_started";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id?: string | null;
    /** @description Name of the workflow at the start of the run */
    workflow_name?: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version?: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source?: string;
    /** @description Id of the deployment; null for a run without one */
    deployment_id?: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id?: string | null;
    /** @description Whether the run is left out of the history and of threads */
    ephemeral?: boolean;
    /** @description `initial`, `resume` after an answer, or `rerun` */
    reason?: string;
    /** @description The `run_id` of the run that was answered and that this one continues; null: none */
    resumed_from_run_id?: string | null;
    /** @description The `run_id` of the run that this is a rerun of; null: none */
    rerun_of?: string | null;
}
/**
 * @example {
 *       "type": "node_started",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 2,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "hello",
 *       "node_type": "transformer",
 *       "node_name": "hello",
 *       "attempt": 1,
 *       "depth": 1
 *     }
 */
export interface NodeStartedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "node_started";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
}
/**
 * @example {
 *       "type": "node_completed",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 3,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "hello",
 *       "node_type": "transformer",
 *       "node_name": "hello",
 *       "attempt": 1,
 *       "depth": 1,
 *       "output": {
 *         "greeting": "Hello Ada"
 *       },
 *       "output_truncated": false,
 *       "selected_handle": "default",
 *       "duration_ms": 2,
 *       "usage": null,
 *       "credits": 0,
 *       "warnings": []
 *     }
 */
export interface NodeCompletedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "node_completed";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description The output; null when there is none, or when it is too large to include */
    output: Json;
    /** @description The output is too large to include; request the step or the record for it */
    output_truncated: boolean;
    /** @description The handle whose edges were taken; null: none */
    selected_handle: string | null;
    /** @description Duration in milliseconds; null until the end */
    duration_ms: number;
    /** @description Token usage; null when no model was called */
    usage: TokenUsage | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits: number;
    /** @description Problems that did not prevent the operation */
    warnings: StepWarning[];
}
export interface TokenUsage {
    /** @description Number of input tokens */
    input_tokens: number;
    /** @description Number of output tokens */
    output_tokens: number;
    /** @description Sum of input and output tokens */
    total_tokens: number;
    /** @description Number of input tokens from the provider's cache */
    cached_tokens?: number;
    /** @description Whether the organization's own account was used, which costs no credits */
    byok?: boolean;
}
export interface StepWarning {
    /** @description Stable code for programs */
    code: string;
    /** @description Description, human-readable */
    message: string;
}
/**
 * @example {
 *       "type": "node_failed",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 4,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "customer",
 *       "node_type": "tool",
 *       "node_name": "customer",
 *       "attempt": 1,
 *       "depth": 1,
 *       "error": {
 *         "code": "http_error",
 *         "message": "The server responded with HTTP 503",
 *         "retryable": true,
 *         "status": 503,
 *         "response": {
 *           "status": 503,
 *           "headers": {
 *             "content-type": "application/json"
 *           },
 *           "data": {
 *             "error": "maintenance"
 *           },
 *           "truncated": false
 *         }
 *       },
 *       "handled": true,
 *       "on_error": "branch"
 *     }
 */
export interface NodeFailedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "node_failed";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description Reason of the failure; null without one */
    error: Failure;
    /** @description Whether the definition handled the failure, so that the run continues */
    handled: boolean;
    /** @description Handling of the final failure: `fail`, `continue` or `branch` */
    on_error: string;
}
export interface ServiceResponse {
    /** @description Status of the answer */
    status: number | null;
    /** @description Headers by their names in lower case; credentials are `***` */
    headers: {
        [key: string]: string;
    };
    /** @description Body by its media type, as in the output of a success: JSON, a text, or a file */
    data: Json;
    /** @description `data` is the beginning of the text of a larger body, or left out: the step has more */
    truncated: boolean;
}
export interface Failure {
    /** @description Stable code */
    code: string;
    /** @description Description, human-readable */
    message: string;
    /** @description Class of the failure, such as `NodeError` */
    type?: string;
    /** @description Id of the failed node; null when no node failed */
    node_id?: string | null;
    /** @description Whether the failure may be transient */
    retryable?: boolean;
    /** @description Status of the HTTP response; null without one */
    status?: number | null;
    /** @description Number of attempts */
    attempts?: number;
    /** @description What the service said that refused; absent when none has answered */
    response?: ServiceResponse;
}
/**
 * @example {
 *       "type": "node_retry",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 4,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "customer",
 *       "node_type": "tool",
 *       "node_name": "customer",
 *       "attempt": 1,
 *       "depth": 1,
 *       "error": {
 *         "code": "http_error",
 *         "message": "The server responded with HTTP 503",
 *         "retryable": true,
 *         "status": 503,
 *         "response": {
 *           "status": 503,
 *           "headers": {
 *             "content-type": "application/json"
 *           },
 *           "data": {
 *             "error": "maintenance"
 *           },
 *           "truncated": false
 *         }
 *       },
 *       "next_attempt": 2,
 *       "delay_ms": 1000
 *     }
 */
export interface NodeRetryFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "node_retry";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description Reason of the failure; null without one */
    error: Failure;
    /** @description Number of the next attempt */
    next_attempt: number;
    /** @description Delay before the next attempt, in milliseconds */
    delay_ms: number;
    /** @description Whether the failed attempt may have had its effect, which the next one would repeat */
    possibly_repeated?: boolean;
}
/**
 * @example {
 *       "type": "node_skipped",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 5,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "hello",
 *       "node_type": "transformer",
 *       "node_name": "hello",
 *       "attempt": 1,
 *       "depth": 1,
 *       "reason": "branch"
 *     }
 */
export interface NodeSkippedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "node_skipped";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /**
     * @description No incoming edge was taken, or the node is disabled
     * @enum {string}
     */
    reason: "branch" | "disabled";
}
/**
 * @example {
 *       "type": "node_reused",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 2,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "hello",
 *       "node_type": "transformer",
 *       "node_name": "hello",
 *       "attempt": 1,
 *       "depth": 1,
 *       "selected_handle": "default",
 *       "reused_from_step_id": "93a4b5c6-d7e8-49fa-8b0c-0d1e2f302212"
 *     }
 */
export interface NodeReusedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "node_reused";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description The handle whose edges were taken; null: none */
    selected_handle: string | null;
    /** @description Id of the step of an earlier run whose output is reused; null: the output was given in the request */
    reused_from_step_id: string | null;
}
/**
 * @example {
 *       "type": "state_updated",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 6,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "hello",
 *       "node_type": "transformer",
 *       "node_name": "hello",
 *       "attempt": 1,
 *       "depth": 1,
 *       "fields": [
 *         "tags"
 *       ]
 *     }
 */
export interface StateUpdatedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "state_updated";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description Names of the declared fields that changed */
    fields: string[];
}
/**
 * @example {
 *       "type": "token",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 7,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "classify",
 *       "node_type": "llm",
 *       "node_name": "classify",
 *       "attempt": 1,
 *       "depth": 1,
 *       "delta": "Hel",
 *       "channel": "content",
 *       "replay": false
 *     }
 */
export interface TokenFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "token";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description The next part of the text */
    delta: string;
    /**
     * @description Content of the answer, or reasoning before it
     * @enum {string}
     */
    channel: "content" | "reasoning";
    /** @description Whether the token was streamed before */
    replay: boolean;
}
/**
 * @example {
 *       "type": "token_reset",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 8,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "classify",
 *       "node_type": "llm",
 *       "node_name": "classify",
 *       "attempt": 1,
 *       "depth": 1,
 *       "reason": "retry"
 *     }
 */
export interface TokenResetFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "token_reset";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /**
     * @description Why the tokens of the step so far are void
     * @enum {string}
     */
    reason: "retry" | "tool_turn" | "moderation";
}
/**
 * @example {
 *       "type": "progress",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 9,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "refund",
 *       "node_type": "tool",
 *       "node_name": "refund",
 *       "attempt": 1,
 *       "depth": 1,
 *       "data": {
 *         "waits_for": [
 *           {
 *             "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *             "run_pk": "1b2c3d4e-5f60-4172-8384-9506a7b8aa0a",
 *             "workflow_name": "Refunds",
 *             "interrupts": [
 *               {
 *                 "interrupt_id": "approve#1",
 *                 "node_id": "approve",
 *                 "kind": "approval",
 *                 "title": "Refund of 120",
 *                 "assignees": {
 *                   "roles": [
 *                     "owner"
 *                   ],
 *                   "user_ids": []
 *                 },
 *                 "expires_at": null
 *               }
 *             ]
 *           }
 *         ]
 *       }
 *     }
 */
export interface ProgressFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "progress";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description For a sub-workflow: `waits_for`, as in the record without `step_id`; empty when nothing waits any more. For other nodes: data of the node */
    data: Json;
}
/**
 * @example {
 *       "type": "tool_call",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 10,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "support",
 *       "node_type": "knowledge",
 *       "node_name": "search_handbook",
 *       "attempt": 1,
 *       "depth": 1,
 *       "parent_step_id": "5f607182-93a4-45b6-87c8-c9daebfcee0e",
 *       "tool_call_id": "call_1",
 *       "name": "search_handbook",
 *       "phase": "end",
 *       "status": "succeeded",
 *       "duration_ms": 84
 *     }
 */
export interface ToolCallFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "tool_call";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description Id of the call, assigned by the model */
    tool_call_id: string;
    /** @description Name of the tool */
    name: string;
    /**
     * @description Phase of the call: start, retry, or end
     * @enum {string}
     */
    phase: "start" | "retry" | "end";
    /**
     * @description Status of the call
     * @enum {string}
     */
    status: "running" | "succeeded" | "failed";
    /** @description Duration in milliseconds; null until the end */
    duration_ms: number | null;
    /** @description Whether the failed attempt may have had its effect, which the next one would repeat */
    possibly_repeated?: boolean;
}
/**
 * @example {
 *       "type": "interrupt",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 11,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "approve",
 *       "node_type": "interrupt",
 *       "node_name": "approve",
 *       "attempt": 1,
 *       "depth": 1,
 *       "interrupt_id": "approve#1",
 *       "kind": "approval",
 *       "title": "Refund of 120",
 *       "message": "The customer asks for it",
 *       "payload": {
 *         "amount": 120
 *       },
 *       "form": null,
 *       "actions": [
 *         {
 *           "id": "approve",
 *           "label": "Approve"
 *         }
 *       ],
 *       "assignees": {
 *         "roles": [
 *           "owner"
 *         ],
 *         "user_ids": []
 *       },
 *       "expires_at": null
 *     }
 */
export interface InterruptFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "interrupt";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /**
     * @description `tool_approval`: an agent requests approval of a tool call; `callback`: the run waits for another service
     * @enum {string}
     */
    kind: "approval" | "input" | "tool_approval" | "callback";
    /** @description Title of the question */
    title: string;
    /** @description Text of the question */
    message: string;
    /** @description Data shown with the question; null: none */
    payload: Json;
    /** @description JSON Schema of the answer's data */
    form: JsonObject | null;
    /** @description The possible answers; empty: an answer has only data */
    actions: InterruptAction[];
    /** @description How many people must give the same answer; one when it is absent */
    required_responses?: number;
    /** @description Who may answer */
    assignees: InterruptAssignees;
    /** @description Time of expiry of the question, ISO 8601 UTC; null: never */
    expires_at: string | null;
}
export interface InterruptAction {
    /** @description Id of the action, sent with the answer */
    id: string;
    /** @description Display name */
    label: string;
}
/** @description Who may answer; empty: any member of the organization */
export interface InterruptAssignees {
    /** @description Roles in the organization, any of which is sufficient */
    roles: string[];
    /** @description Ids of users, any of whom is sufficient */
    user_ids: string[];
    /** @description Addresses that have a link to the question */
    emails?: string[];
}
/**
 * @example {
 *       "type": "interrupt_resolved",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "seq": 2,
 *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *       "node_id": "approve",
 *       "node_type": "interrupt",
 *       "node_name": "approve",
 *       "attempt": 1,
 *       "depth": 1,
 *       "interrupt_id": "approve#1",
 *       "action": "approve",
 *       "responded_by": "2f6b1c0e-3a77-4d0c-8a43-0a5d6ad0b202",
 *       "timed_out": false
 *     }
 */
export interface InterruptResolvedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "interrupt_resolved";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /** @description The selected action; null: none */
    action: string | null;
    /** @description Id of the user who answered; null without an answer, or by a link */
    responded_by: string | null;
    /** @description Whether the question expired without an answer */
    timed_out: boolean;
}
/**
 * @example {
 *       "type": "run_completed",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:01.250Z",
 *       "seq": 12,
 *       "duration_ms": 1250,
 *       "usage": {
 *         "input_tokens": 120,
 *         "output_tokens": 18,
 *         "total_tokens": 138
 *       },
 *       "credits": 0.4,
 *       "handled_error_count": 0,
 *       "status": "completed",
 *       "output": {
 *         "greeting": "Hello Ada"
 *       },
 *       "output_truncated": false
 *     }
 */
export interface RunCompletedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "run_completed";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /** @description Duration of the run, in milliseconds */
    duration_ms: number;
    /** @description Token usage; null when no model was called */
    usage?: TokenUsage | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits?: number;
    /** @description Number of node failures that the definition handled */
    handled_error_count?: number;
    /**
     * @description Final status
     * @constant
     */
    status: "completed";
    /** @description The output; null when there is none, or when it is too large to include */
    output: Json;
    /** @description The output is too large to include; request the step or the record for it */
    output_truncated: boolean;
    /** @description Problems that did not prevent the operation */
    warnings?: StepWarning[];
}
/**
 * @example {
 *       "type": "run_failed",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:01.250Z",
 *       "seq": 12,
 *       "duration_ms": 1250,
 *       "usage": {
 *         "input_tokens": 120,
 *         "output_tokens": 18,
 *         "total_tokens": 138
 *       },
 *       "credits": 0.4,
 *       "handled_error_count": 0,
 *       "status": "failed",
 *       "error": {
 *         "code": "http_error",
 *         "message": "The server responded with HTTP 503",
 *         "node_id": "customer"
 *       }
 *     }
 */
export interface RunFailedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "run_failed";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /** @description Duration of the run, in milliseconds */
    duration_ms: number;
    /** @description Token usage; null when no model was called */
    usage?: TokenUsage | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits?: number;
    /** @description Number of node failures that the definition handled */
    handled_error_count?: number;
    /**
     * @description Final status
     * @constant
     */
    status: "failed";
    /** @description Reason of the failure; null without one */
    error: Failure | null;
}
/**
 * @example {
 *       "type": "run_cancelled",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:01.250Z",
 *       "seq": 12,
 *       "duration_ms": 1250,
 *       "usage": {
 *         "input_tokens": 120,
 *         "output_tokens": 18,
 *         "total_tokens": 138
 *       },
 *       "credits": 0.4,
 *       "handled_error_count": 0,
 *       "status": "cancelled",
 *       "reason": "Started by mistake"
 *     }
 */
export interface RunCancelledFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "run_cancelled";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /** @description Duration of the run, in milliseconds */
    duration_ms: number;
    /** @description Token usage; null when no model was called */
    usage?: TokenUsage | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits?: number;
    /** @description Number of node failures that the definition handled */
    handled_error_count?: number;
    /**
     * @description Final status
     * @constant
     */
    status: "cancelled";
    /** @description Reason of the cancellation; null: none was given */
    reason?: string | null;
}
/**
 * @example {
 *       "type": "run_interrupted",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:01.250Z",
 *       "seq": 12,
 *       "duration_ms": 1250,
 *       "usage": {
 *         "input_tokens": 120,
 *         "output_tokens": 18,
 *         "total_tokens": 138
 *       },
 *       "credits": 0.4,
 *       "handled_error_count": 0,
 *       "status": "interrupted",
 *       "interrupts": [
 *         {
 *           "node_id": "approve",
 *           "interrupt_id": "approve#1",
 *           "kind": "approval",
 *           "title": "Refund of 120",
 *           "message": "The customer asks for it",
 *           "payload": {
 *             "amount": 120
 *           },
 *           "form": null,
 *           "actions": [
 *             {
 *               "id": "approve",
 *               "label": "Approve"
 *             }
 *           ],
 *           "assignees": {
 *             "roles": [
 *               "owner"
 *             ],
 *             "user_ids": []
 *           },
 *           "expires_at": null
 *         }
 *       ]
 *     }
 */
export interface RunInterruptedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "run_interrupted";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /** @description Duration of the run, in milliseconds */
    duration_ms: number;
    /** @description Token usage; null when no model was called */
    usage?: TokenUsage | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits?: number;
    /** @description Number of node failures that the definition handled */
    handled_error_count?: number;
    /**
     * @description Final status
     * @constant
     */
    status: "interrupted";
    /** @description The questions */
    interrupts?: OpenInterrupt[];
    /**
     * Format: uuid
     * @description The `run_id` of the run that continues after an answer or an expired question; absent while the run waits
     */
    resumed_by_run_id?: string;
}
export interface OpenInterrupt {
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /**
     * @description `tool_approval`: an agent requests approval of a tool call; `callback`: the run waits for another service
     * @enum {string}
     */
    kind: "approval" | "input" | "tool_approval" | "callback";
    /** @description Title of the question */
    title: string;
    /** @description Text of the question */
    message: string;
    /** @description Data shown with the question; null: none */
    payload: Json;
    /** @description JSON Schema of the answer's data */
    form: JsonObject | null;
    /** @description The possible answers; empty: an answer has only data */
    actions: InterruptAction[];
    /** @description How many people must give the same answer; one when it is absent */
    required_responses?: number;
    /** @description Who may answer */
    assignees: InterruptAssignees;
    /** @description Time of expiry of the question, ISO 8601 UTC; null: never */
    expires_at: string | null;
}
/**
 * @example {
 *       "type": "paused",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:01.250Z",
 *       "seq": 12,
 *       "duration_ms": 1250,
 *       "usage": {
 *         "input_tokens": 120,
 *         "output_tokens": 18,
 *         "total_tokens": 138
 *       },
 *       "credits": 0.4,
 *       "handled_error_count": 0,
 *       "status": "interrupted",
 *       "interrupts": [
 *         {
 *           "node_id": "approve",
 *           "interrupt_id": "approve#1",
 *           "kind": "approval",
 *           "title": "Refund of 120",
 *           "message": "The customer asks for it",
 *           "payload": {
 *             "amount": 120
 *           },
 *           "form": null,
 *           "actions": [
 *             {
 *               "id": "approve",
 *               "label": "Approve"
 *             }
 *           ],
 *           "assignees": {
 *             "roles": [
 *               "owner"
 *             ],
 *             "user_ids": []
 *           },
 *           "expires_at": null
 *         }
 *       ]
 *     }
 */
export interface PausedFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "paused";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /** @description Duration until the pause, in milliseconds */
    duration_ms: number;
    /** @description Token usage; null when no model was called */
    usage?: TokenUsage | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits?: number;
    /** @description Number of node failures that the definition handled */
    handled_error_count?: number;
    /**
     * @description The run was paused here and has ended since; its last frame has the final status
     * @constant
     */
    status: "interrupted";
    /** @description The questions */
    interrupts?: OpenInterrupt[];
}
/**
 * @example {
 *       "type": "heartbeat",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "nodes": [
 *         {
 *           "node_id": "classify",
 *           "attempt": 1,
 *           "seq": 7,
 *           "tokens": 42
 *         }
 *       ]
 *     }
 */
export interface HeartbeatFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "heartbeat";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description The running nodes */
    nodes: HeartbeatNode[];
}
export interface HeartbeatNode {
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description Sequence number of the last event of the node; 0 without one */
    seq: number;
    /** @description Number of tokens that the node has streamed */
    tokens: number;
}
/**
 * @example {
 *       "type": "snapshot",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:01.250Z",
 *       "seq": 11,
 *       "status": "completed",
 *       "last_seq": 12,
 *       "nodes": [
 *         {
 *           "node_id": "hello",
 *           "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
 *           "status": "succeeded",
 *           "attempt": 1,
 *           "output": {
 *             "greeting": "Hello Ada"
 *           },
 *           "output_truncated": false
 *         }
 *       ],
 *       "partial_text": {},
 *       "interrupts": []
 *     }
 */
export interface SnapshotFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "snapshot";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Sequence number of the event in its run, from 1 without gaps; resume the stream after it */
    seq: number;
    /** @description Final status of the run */
    status: string;
    /** @description Sequence number of the last event of the run */
    last_seq: number;
    /** @description The steps of the run, without those of items */
    nodes: SnapshotNode[];
    /** @description Text streamed so far, by step; empty after the end of the run */
    partial_text: {
        [key: string]: string;
    };
    /** @description The questions */
    interrupts: SnapshotInterrupt[];
}
export interface SnapshotNode {
    /** @description Id of the node in the definition */
    node_id: string;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Status of the step, as in the record of the run */
    status: string;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description The output; null when there is none, or when it is too large to include */
    output: Json;
    /** @description The output is too large to include; request the step or the record for it */
    output_truncated: boolean;
}
export interface SnapshotInterrupt {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
}
/**
 * @example {
 *       "type": "stream_error",
 *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
 *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
 *       "timestamp": "2026-11-02T09:30:00.000Z",
 *       "code": "run_removed",
 *       "message": "The run is no longer stored"
 *     }
 */
export interface StreamErrorFrame {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    type: "stream_error";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
    /** @description Stable code for programs */
    code: string;
    /** @description Reason why the stream ends; it says nothing about the run */
    message: string;
}
export interface CompletionChunkChoice {
    /** @description Place of the choice */
    index: number;
    /** @description The next part of the text */
    delta: CompletionDelta;
    /** @description `stop`: the run completed; `length` or `content_filter`: its answer was cut off or filtered; null before */
    finish_reason: string | null;
}
export interface CompletionDelta {
    /** @description Author of the message */
    role?: string;
    /** @description The text */
    content?: string;
}
export interface CompletionUsage {
    /** @description Tokens that the models of the run have read */
    prompt_tokens: number;
    /** @description Tokens that the models of the run have written */
    completion_tokens: number;
    /** @description Both together */
    total_tokens: number;
}
export interface ServiceRoot {
    /** @description Name of the service */
    service: string;
    /** @description Version of the build */
    version: string;
    /** @description Path of the OpenAPI document */
    openapi: string;
}
export interface Health {
    /**
     * @description The process responds; its dependencies are not checked
     * @constant
     */
    status: "healthy";
    /** @description Name of the service */
    service: string;
    /** @description Version of the build */
    version: string;
}
export interface Readiness {
    /**
     * @description Whether this process should get requests
     * @enum {string}
     */
    status: "ready" | "not_ready";
    /** @description Whether the database answers */
    database: boolean;
    /** @description `current`: the database has the migrations of this build; `newer`: also those of a later one; `older`: it lacks some; `incompatible`: it has removed what this build uses; with both the process cannot serve; null: it does not answer */
    schema: ("current" | "newer" | "older" | "incompatible") | null;
    /** @description The process is about to stop: it answers, but send new requests elsewhere */
    draining: boolean;
    /** @description What did not work when it was last asked, within 15 seconds: `temporal`, `identity_provider`, … Runs are accepted without them, so they do not make the status */
    failing: string[];
}
export interface HealthReport {
    /**
     * @description The worst status of the checks
     * @enum {string}
     */
    overall: "healthy" | "warning" | "unhealthy";
    /** @description The checks by name */
    checks: {
        [key: string]: HealthCheck;
    };
    /** @description Version of the build */
    version: string;
    /**
     * Format: date-time
     * @description Time of the event, ISO 8601 UTC
     */
    timestamp: string;
}
export interface HealthCheck {
    /**
     * @description Result of the check
     * @enum {string}
     */
    status: "healthy" | "warning" | "unhealthy";
    /** @description Details for the operator */
    message: string;
}
export interface WorkflowList {
    /** @description The workflows of this page, or all of them */
    workflows: WorkflowSummary[];
    /** @description Total number of matching workflows */
    total: number;
    /** @description Number of this page, from 1; only when `page_size` was sent */
    page?: number;
    /** @description Maximum number of items on a page; only when it was sent */
    page_size?: number;
    /** @description Total number of pages; only when `page_size` was sent */
    total_pages?: number;
    /** @description Maximum number of items on a page */
    limit?: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor?: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor?: string | null;
}
export interface WorkflowSummary {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Display name */
    name: string;
    /** @description Short description; null or empty: none */
    description: string | null;
    /** @description Version label, such as 1.0.0; null: none */
    version: string | null;
    /**
     * @description A label without effect on runs; archived workflows are not offered to the Assistant
     * @enum {string}
     */
    status: "draft" | "active" | "archived";
    /**
     * @description Visibility: `private` has the effect of `organization`; `system` is reserved for the operator
     * @enum {string}
     */
    visibility: "private" | "organization" | "public" | "system";
    /** @description Category to filter by; null: none */
    category: string | null;
    /** @description Tags to filter by */
    tags: string[];
    /** @description Id of the user who created it; null after the user was deleted */
    creator_id: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
}
export interface Workflow {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Display name */
    name: string;
    /** @description Short description; null or empty: none */
    description: string | null;
    /** @description Version label, such as 1.0.0; null: none */
    version: string | null;
    /**
     * @description A label without effect on runs; archived workflows are not offered to the Assistant
     * @enum {string}
     */
    status: "draft" | "active" | "archived";
    /**
     * @description Visibility: `private` has the effect of `organization`; `system` is reserved for the operator
     * @enum {string}
     */
    visibility: "private" | "organization" | "public" | "system";
    /** @description Category to filter by; null: none */
    category: string | null;
    /** @description Tags to filter by */
    tags: string[];
    /** @description Id of the user who created it; null after the user was deleted */
    creator_id: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description The definition: the graph of nodes and edges */
    workflow_schema: WorkflowDefinition | WorkflowDraft;
    /** @description Default input of runs; copied into each deployment */
    input: JsonObject;
    /** @description Default settings of runs; copied into each deployment */
    config: JsonObject;
    /** @description Number of saved edits, from 0; independent of `version` */
    edit_version: number | null;
    /** @description Id of the user of the last edit; null without edits, or after the user was deleted */
    last_edited_by: string | null;
    /** @description Time of the last saved edit, ISO 8601 UTC; null without edits */
    last_edited_at: string | null;
    /** @description Id of the live deployment; null: none */
    live_deployment_id: string | null;
    /** @description Errors and warnings of the saved definition */
    problems: DefinitionProblem[];
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface DefinitionProblem {
    /**
     * @description An error prevents deployments and runs; a warning does not
     * @enum {string}
     */
    severity: "error" | "warning";
    /** @description Stable code for programs */
    code: string;
    /** @description Description of the problem, human-readable */
    message: string;
    /** @description Path to the problem in the definition: keys and indexes */
    path: (string | number)[];
    /** @description Id of the node with the problem; absent when it concerns no node */
    node_id?: string;
}
export interface BodyWarning {
    /**
     * @description Stable code for programs
     * @enum {string}
     */
    code: "unknown_field" | "number_as_text" | "number_rounded";
    /** @description The affected field and what happened to it, human-readable */
    message: string;
    /** @description Location in the request: `body`, `query` or `path`, then keys and indexes */
    loc: string[];
}
export interface WorkflowDeleted {
    /** @description Whether the operation succeeded */
    success: boolean;
    /** @description Description, human-readable */
    message: string;
    /** @description Workflows that still use it as a sub-workflow; absent when there are none */
    used_by?: WorkflowUser[];
}
export interface WorkflowUser {
    /**
     * Format: uuid
     * @description Id of a workflow that uses this one as a sub-workflow
     */
    workflow_id: string;
    /** @description Name of that workflow */
    name: string;
    /** @description Whether its live deployment uses this workflow, and not only its draft */
    is_live: boolean;
}
export interface WorkflowUsage {
    /** @description Workflows that use it as a sub-workflow, those with a live deployment first; at most 100 */
    used_by: WorkflowUser[];
}
export interface RunStartedOrEnded {
    /**
     * @description Current status
     * @enum {string}
     */
    status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /** @description Whether the run is left out of the history and of threads */
    ephemeral: boolean;
    /** @description The value of `stream` at the start */
    stream: boolean;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Duration of the request, in milliseconds */
    elapsed_ms: number;
    /** @description The message of the user: the message or text of the input, else the input as JSON */
    human_message: RunMessage;
    /** @description The answer of the run; empty until it is complete */
    ai_message: RunMessage;
    /** @description Description, human-readable */
    message: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
    /** @description The output; null when there is none, or when it is too large to include */
    output?: Json;
    /** @description The output is too large to include; request the step or the record for it */
    output_truncated?: boolean;
    /** @description Reason of the failure; null without one */
    error?: Failure | null;
    /** @description The questions */
    interrupts?: OpenQuestion[];
    /** @description Token usage; null when no model was called */
    usage?: TokenUsage | null;
    /** @description Duration in milliseconds; null until the end */
    duration_ms?: number;
}
export interface RunMessage {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * @description Author of the message
     * @enum {string}
     */
    role: "human" | "ai";
    /** @description Text of the message, at most 2,000 characters; empty until there is an answer */
    content: string;
    /**
     * @description An answer is pending until its run has ended
     * @enum {string}
     */
    status: "completed" | "pending";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface OpenQuestion {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
}
export interface RunStarted {
    /**
     * @description The run was started
     * @constant
     */
    status: "running";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /** @description Whether the run is left out of the history and of threads */
    ephemeral: boolean;
    /** @description The value of `stream` at the start */
    stream: boolean;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Duration of the request, in milliseconds */
    elapsed_ms: number;
    /** @description The message of the user: the message or text of the input, else the input as JSON */
    human_message: RunMessage;
    /** @description The answer of the run; empty until it is complete */
    ai_message: RunMessage;
    /** @description Description of the result, human-readable */
    message: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface RunBatchStarted {
    /** @description One receipt for each input, in their order */
    runs: BatchReceipt[];
    /** @description Number of runs that were started */
    accepted: number;
    /** @description Number of inputs that the plan refused */
    refused: number;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface BatchReceipt {
    /**
     * @description Whether the run was started
     * @enum {string}
     */
    status: "running" | "refused";
    /** @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one */
    run_id: string | null;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Reason of the failure; null without one */
    error: StartRefusal;
}
export type StartRefusal = {
    /** @description Stable code for programs */
    code: string;
    /** @description Description, human-readable */
    message: string;
} | null;
export interface RunResumed {
    /**
     * @description The run was started
     * @constant
     */
    status: "running";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /** @description Whether the run is left out of the history and of threads */
    ephemeral: boolean;
    /** @description The value of `stream` at the start */
    stream: boolean;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Duration of the request, in milliseconds */
    elapsed_ms: number;
    /** @description The message of the user: the message or text of the input, else the input as JSON */
    human_message: RunMessage;
    /** @description The answer of the run; empty until it is complete */
    ai_message: RunMessage;
    /** @description Description of the result, human-readable */
    message: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
    /**
     * Format: uuid
     * @description The `run_id` of the run that was answered and that this one continues; null: none
     */
    resumed_from_run_id: string;
    /** @description Ids of the answered questions */
    interrupt_ids: string[];
}
export interface AnswerRecorded {
    /**
     * @description The run waits for the answers of other people
     * @constant
     */
    status: "interrupted";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Ids of the answered questions */
    interrupt_ids: string[];
    /** @description How many answers the questions have */
    interrupts: AnswerCount[];
}
export interface AnswerCount {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /** @description How many people have given this answer */
    responses: number;
    /** @description How many people must give it */
    required_responses: number;
}
export interface RunCancelled {
    /** @description Whether the operation succeeded */
    success: boolean;
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /**
     * @description Current status of the run
     * @enum {string}
     */
    status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
    /**
     * @description Status of the run before the request
     * @enum {string}
     */
    previous_status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
    /** @description Whether the run had ended before the request */
    already_terminal: boolean;
    /** @description Description, human-readable */
    message: string;
}
export interface RunList {
    /** @description The runs of this page, newest first */
    runs: RunListItem[];
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface RunListItem {
    /**
     * Format: uuid
     * @description Id of the run in the history: `run_pk` in paths
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id: string | null;
    /** @description Id of the deployment; null for a run without one */
    deployment_id: string | null;
    /** @description Trigger of the run: `api`, `schedule`, `webhook`, `chat`, `error` for an error workflow, or `workflow` for a node of another run */
    trigger_type: string;
    /** @description Whether the run has an inline definition instead of a deployment */
    is_ad_hoc: boolean;
    /**
     * @description Status of the run; `interrupted`: it waits for an answer, or was answered
     * @enum {string}
     */
    status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
    /**
     * Format: date-time
     * @description Time of the start, ISO 8601 UTC
     */
    started_at: string;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /** @description Duration in seconds; null until the end */
    duration_seconds: number | null;
    /** @description Reason of the failure, human-readable; null without one */
    error_message: string | null;
    /** @description Start of the output as text; null without an output */
    output_summary: string | null;
    /** @description Whether the run has an output */
    has_output: boolean;
    /** @description Names and values that the start of the run carried */
    metadata: {
        [key: string]: string;
    };
    /** @description When the retention deleted the inputs, outputs, logs and messages of the run; null: they are stored */
    values_deleted_at: string | null;
    /** @description Whether a question of the run waits for an answer */
    has_open_interrupts: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /** @description Id of the node that failed the run, or whose question it waits for */
    stopped_at: {
        /** @description Id of the node in the definition */
        node_id: string;
        /** @description Name of the node; its id when it has none */
        node_name: string;
    } | null;
    /** @description Credits of all segments of the run and of its sub-workflows */
    credits: number;
    /** @description The segments that this one continues, oldest first */
    earlier_segments: {
        /**
         * Format: uuid
         * @description Unique id
         */
        id: string;
        /**
         * Format: uuid
         * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
         */
        run_id: string;
        /**
         * @description Current status
         * @enum {string}
         */
        status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
        /** @description Time of the start, ISO 8601 UTC */
        started_at: string | null;
        /** @description Time of the end, ISO 8601 UTC; null until then */
        completed_at: string | null;
    }[];
}
export interface InterruptList {
    /** @description The questions */
    interrupts: WaitingInterrupt[];
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface WaitingInterrupt {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /**
     * @description `tool_approval`: an agent requests approval of a tool call; `callback`: the run waits for another service
     * @enum {string}
     */
    kind: "approval" | "input" | "tool_approval" | "callback";
    /** @description Title of the question */
    title: string;
    /** @description Text of the question */
    message: string;
    /** @description Data shown with the question; null: none */
    payload: Json;
    /** @description JSON Schema of the answer's data */
    form: JsonObject | null;
    /** @description The possible answers; empty: an answer has only data */
    actions: InterruptAction[];
    /** @description How many people must give the same answer; one when it is absent */
    required_responses: number;
    /** @description Who may answer */
    assignees: InterruptAssignees;
    /** @description Time of expiry of the question, ISO 8601 UTC; null: never */
    expires_at: string | null;
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /**
     * @description `pending`: waits for an answer; `superseded`: replaced by a newer run on the thread
     * @enum {string}
     */
    status: "pending" | "claimed" | "consumed" | "expired" | "cancelled" | "superseded";
    /** @description The answer; null before */
    response: JsonObject | null;
    /** @description The answers to a question that needs several */
    responses: InterruptResponse[];
    /** @description Links to the question that people without an account get */
    links: InterruptLink[];
    /** @description Address at which another service answers a callback that waits: whoever has it can answer; null for other questions */
    callback_url: string | null;
    /** @description Number of requests to the address of a callback after its answer or timeout, which were refused; bursts count once a second */
    late_call_count: number;
    /** @description When the last of them came; null: none did */
    last_late_call_at: string | null;
    /** @description Id of the user who answered; null without an answer, or by a link */
    responded_by: string | null;
    /** @description Address of the person who answered at a link, or the chat that had it; null without one */
    responded_email: string | null;
    /** @description Time of the answer, ISO 8601 UTC; null without one */
    responded_at: string | null;
    /** @description The `run_id` of the run that continues after the answer; null before */
    resumed_by_run_id: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: uuid
     * @description Id of the run in the history: `run_pk` in paths
     */
    run_pk: string;
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id: string | null;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
}
export interface InterruptResponse {
    /** @description Id of the selected action; null without one */
    action: string | null;
    /** @description Id of the user who answered; null without an answer, or by a link */
    responded_by: string | null;
    /**
     * Format: date-time
     * @description Time of the answer, ISO 8601 UTC; null without one
     */
    responded_at: string;
}
export interface InterruptLink {
    /**
     * @description How the link is sent
     * @enum {string}
     */
    channel: "email" | "slack" | "teams" | "discord";
    /** @description E-mail address of the person, with its first letter and its domain alone; else the chat: `slack`, `slack-2` */
    address: string;
    /** @description When the link was last sent; null: not yet */
    sent_at: string | null;
    /** @description How often the link was sent: reminders send it again */
    sent_count: number;
    /** @description When it is sent next; null: not again */
    next_at: string | null;
    /** @description Why the last attempt to send failed, such as `mail_failed`; null: it did not */
    error: string | null;
}
export interface Run {
    /**
     * Format: uuid
     * @description Id of the run in the history: `run_pk` in paths
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id: string | null;
    /** @description Id of the deployment; null for a run without one */
    deployment_id: string | null;
    /** @description Trigger of the run: `api`, `schedule`, `webhook`, `chat`, `error` for an error workflow, or `workflow` for a node of another run */
    trigger_type: string;
    /** @description Whether the run has an inline definition instead of a deployment */
    is_ad_hoc: boolean;
    /**
     * @description Status of the run; `interrupted`: it waits for an answer, or was answered
     * @enum {string}
     */
    status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
    /**
     * Format: date-time
     * @description Time of the start, ISO 8601 UTC
     */
    started_at: string;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /** @description Duration in seconds; null until the end */
    duration_seconds: number | null;
    /** @description Reason of the failure, human-readable; null without one */
    error_message: string | null;
    /** @description Start of the output as text; null without an output */
    output_summary: string | null;
    /** @description Whether the run has an output */
    has_output: boolean;
    /** @description Names and values that the start of the run carried */
    metadata: {
        [key: string]: string;
    };
    /** @description When the retention deleted the inputs, outputs, logs and messages of the run; null: they are stored */
    values_deleted_at: string | null;
    /** @description Whether a question of the run waits for an answer */
    has_open_interrupts: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Version of the deployment of the run; null: none */
    deployment_version: string | null;
    /** @description Whether only its creator and owners of the organization see the run */
    is_private: boolean;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /** @description The input of the run */
    input: Json;
    /** @description The output; null when there is none, or when it is too large to include */
    output: Json;
    /** @description Declared fields, and the latest output of each node by its id */
    state: {
        [key: string]: Json;
    };
    /** @description Reason of the failure; null without one */
    error: Failure | null;
    /** @description Token usage; null when no model was called */
    usage: TokenUsage | null;
    /** @description Number of node failures that the definition handled */
    handled_error_count: number;
    /** @description Reason of the cancellation; null: not cancelled, or no reason was given */
    cancel_reason: string | null;
    /** @description Credits charged for the run */
    credits: RunCredits;
    /** @description One step for each execution of a node, in order */
    steps: RunStep[];
    /** @description The steps without their values, in order, when there are more than `max_steps` */
    outline?: StepOutline[];
    /** @description The questions */
    interrupts: Interrupt[];
    /** @description Runs of sub-workflows, at any depth, whose questions this run waits for */
    waits_for: ChildWait[];
    /** @description The `run_id` of the run that was answered and that this one continues; null: none */
    resumed_from_run_id: string | null;
    /** @description The `run_id` of each run that continues this one */
    resumed_by_run_ids: string[];
    /** @description The `run_id` of the run that this is a rerun of */
    rerun_of: string | null;
    /** @description The `id`, in the history, of the run that this is a rerun of; null: none */
    rerun_of_run_pk: string | null;
    /** @description The `run_id` of the parent run, whose node started this one; null: none */
    parent_run_id: string | null;
    /** @description Whether values of steps are too large to include; request the steps for them */
    truncated: boolean;
}
export interface RunCharge {
    /** @description Id of the step */
    step_id: string;
    /** @description Type of the node */
    kind: string;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /** @description Whether the organization's own account was used, which costs no credits */
    byok: boolean;
    /** @description Credits charged; 100 credits are one currency unit */
    credits: number;
}
export interface RunCredits {
    /** @description Total credits, including sub-workflows */
    charged: number;
    /** @description Usage by step and model */
    items: RunCharge[];
}
export interface RunStep {
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description `running`, `succeeded`, `failed`, `skipped`, `cancelled`, `interrupted`, or `reused` from another run */
    status: string;
    /** @description Number of nodes on the path up to this one */
    depth: number;
    /** @description Number of the visit of the node, from 1; loops visit a node again */
    visit: number;
    /** @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise */
    parent_step_id: string | null;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index: number | null;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration: number | null;
    /** @description Input of the node, without secrets; null when it is too large for the list */
    input: Json;
    /** @description The input is too large to include; request the step for it */
    input_truncated: boolean;
    /** @description The output; null when there is none, or when it is too large to include */
    output: Json;
    /** @description The output is too large to include; request the step or the record for it */
    output_truncated: boolean;
    /** @description Reason of the failure; null without one */
    error: Failure | null;
    /** @description Whether the definition handled the failure, so that the run continued */
    error_handled: boolean;
    /** @description The handle whose edges were taken; null: none */
    selected_handle: string | null;
    /** @description Problems that did not prevent the operation */
    warnings: StepWarning[];
    /** @description Token usage; null when no model was called */
    usage: TokenUsage | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits: number;
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /** @description The attempts */
    attempts: StepAttempt[];
    /** @description Console output of the function; null for other nodes */
    logs: string[] | null;
    /** @description Tool calls of the agent, each also a step; null for other nodes */
    tool_calls: StepToolCall[] | null;
    /** @description The `run_id` of the sub-workflow run that the step started; null: none */
    child_run_id: string | null;
    /** @description Id of the step of an earlier run with the values of a reused step */
    reused_from_step_id: string | null;
    /** @description Time of the start, ISO 8601 UTC; null before */
    started_at: string | null;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /** @description Duration in milliseconds; null until the end */
    duration_ms: number | null;
}
export interface StepAttempt {
    /** @description Number of the attempt, from 1 */
    attempt: number;
    /**
     * @description Status of the attempt; `lost`: its worker crashed or was unreachable
     * @enum {string}
     */
    status: "running" | "succeeded" | "failed" | "cancelled" | "lost";
    /**
     * Format: date-time
     * @description Time of the start, ISO 8601 UTC
     */
    started_at: string;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /** @description Duration in milliseconds; null until the end */
    duration_ms: number | null;
    /** @description Reason of the failure; null without one */
    error: Failure | null;
}
export interface StepToolCall {
    /** @description Id of the call, assigned by the model */
    id: string;
    /** @description Name of the tool */
    name: string;
    /** @description Arguments of the call */
    arguments: Json;
    /** @description Result of the tool; null when it failed or has not ended */
    result: Json;
    /** @description Reason of the failure; null without one */
    error: Failure | null;
    /** @description Duration in milliseconds; null until the end */
    duration_ms: number | null;
}
export interface StepOutline {
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Status of the step, as in `steps` */
    status: string;
    /** @description Number of the visit of the node, from 1; loops visit a node again */
    visit: number;
    /**
     * Format: uuid
     * @description For an item: the step of the mapped node; for a tool call: the step of the agent; null or absent otherwise
     */
    parent_step_id?: string;
    /** @description For an item: its index, from 0; null or absent otherwise */
    item_index?: number;
    /** @description Iteration of the innermost loop around the node, from 0; null or absent outside of loops */
    iteration?: number;
    /** @description The handle whose edges were taken; null: none */
    selected_handle?: string;
    /**
     * Format: date-time
     * @description Time of the start, ISO 8601 UTC
     */
    started_at?: string;
    /** @description Duration in milliseconds; null until the end */
    duration_ms?: number;
}
export interface Interrupt {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /**
     * @description `tool_approval`: an agent requests approval of a tool call; `callback`: the run waits for another service
     * @enum {string}
     */
    kind: "approval" | "input" | "tool_approval" | "callback";
    /** @description Title of the question */
    title: string;
    /** @description Text of the question */
    message: string;
    /** @description Data shown with the question; null: none */
    payload: Json;
    /** @description JSON Schema of the answer's data */
    form: JsonObject | null;
    /** @description The possible answers; empty: an answer has only data */
    actions: InterruptAction[];
    /** @description How many people must give the same answer; one when it is absent */
    required_responses: number;
    /** @description Who may answer */
    assignees: InterruptAssignees;
    /** @description Time of expiry of the question, ISO 8601 UTC; null: never */
    expires_at: string | null;
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the node in the definition */
    node_id: string;
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /**
     * @description `pending`: waits for an answer; `superseded`: replaced by a newer run on the thread
     * @enum {string}
     */
    status: "pending" | "claimed" | "consumed" | "expired" | "cancelled" | "superseded";
    /** @description The answer; null before */
    response: JsonObject | null;
    /** @description The answers to a question that needs several */
    responses: InterruptResponse[];
    /** @description Links to the question that people without an account get */
    links: InterruptLink[];
    /** @description Address at which another service answers a callback that waits: whoever has it can answer; null for other questions */
    callback_url: string | null;
    /** @description Number of requests to the address of a callback after its answer or timeout, which were refused; bursts count once a second */
    late_call_count: number;
    /** @description When the last of them came; null: none did */
    last_late_call_at: string | null;
    /** @description Id of the user who answered; null without an answer, or by a link */
    responded_by: string | null;
    /** @description Address of the person who answered at a link, or the chat that had it; null without one */
    responded_email: string | null;
    /** @description Time of the answer, ISO 8601 UTC; null without one */
    responded_at: string | null;
    /** @description The `run_id` of the run that continues after the answer; null before */
    resumed_by_run_id: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface ChildWait {
    /**
     * Format: uuid
     * @description Id of the step of this run that waits
     */
    step_id: string;
    /** @description Id of the node of this run that waits */
    node_id: string;
    /**
     * Format: uuid
     * @description The `run_id` of the run with the question; the answer is sent to it
     */
    run_id: string;
    /**
     * Format: uuid
     * @description The `id`, in the history, of the run with the question
     */
    run_pk: string;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description The questions */
    interrupts: ChildInterrupt[];
}
export interface ChildInterrupt {
    /** @description Id of the question, sent with the answer */
    interrupt_id: string;
    /** @description Id of the node with the question */
    node_id: string;
    /**
     * @description `tool_approval`: an agent requests approval of a tool call; `callback`: the run waits for another service
     * @enum {string}
     */
    kind: "approval" | "input" | "tool_approval" | "callback";
    /** @description Title of the question */
    title: string;
    /** @description Who may answer */
    assignees: InterruptAssignees;
    /** @description Time of expiry of the question, ISO 8601 UTC; null: never */
    expires_at: string | null;
}
export interface Success {
    /** @description Whether the operation succeeded */
    success: boolean;
    /** @description Description of the result, human-readable */
    message: string;
}
export interface RunDefinition {
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description SHA-256 of the stored definition, in hex */
    definition_hash: string;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description The stored definition */
    definition: WorkflowDefinition | WorkflowDraft;
}
export interface RunComparison {
    /** @description The run of the path */
    a: ComparedRun;
    /** @description The other run */
    b: ComparedRun;
    /** @description Whether both runs have the same definition */
    same_definition: boolean;
    /** @description The nodes that either run reached */
    nodes: ComparedNode[];
}
export interface ComparedRun {
    /**
     * Format: uuid
     * @description Id of the run in the history: `run_pk` in paths
     */
    run_pk: string;
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /**
     * @description Current status
     * @enum {string}
     */
    status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id: string | null;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
}
export interface ComparedNode {
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /** @description Its last visit; null when the run did not reach the node */
    a: ComparedStep | null;
    /** @description Its last visit; null when the run did not reach the node */
    b: ComparedStep | null;
    /** @description Whether the outputs differ */
    output_differs: boolean;
    /** @description JSON pointers to the differences; null when the outputs are too large to compare */
    differences: string[] | null;
    /** @description Whether different edges were taken */
    branch_differs: boolean;
}
export interface ComparedStep {
    /**
     * Format: uuid
     * @description Id of the step: one execution of a node
     */
    step_id: string;
    /** @description Status of the step, as in the record of the run */
    status: string;
    /** @description Number of visits of the node */
    visits: number;
    /** @description Duration in milliseconds; null until the end */
    duration_ms: number | null;
    /** @description Credits charged; 100 credits are one currency unit */
    credits: number;
    /** @description The handle whose edges were taken; null: none */
    selected_handle: string | null;
    /** @description Ids of the next nodes, or `__end__`; null when it has not ended */
    took: string[] | null;
    /** @description Stable code of the failure; null without one */
    error_code: string | null;
}
export type RerunReply = RerunStarted | RerunPlan;
export interface RerunStarted {
    /**
     * @description The run was started
     * @constant
     */
    status: "running";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /** @description Whether the run is left out of the history and of threads */
    ephemeral: boolean;
    /** @description The value of `stream` at the start */
    stream: boolean;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Duration of the request, in milliseconds */
    elapsed_ms: number;
    /** @description The message of the user: the message or text of the input, else the input as JSON */
    human_message: RunMessage;
    /** @description The answer of the run; empty until it is complete */
    ai_message: RunMessage;
    /** @description Description of the result, human-readable */
    message: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
    /**
     * Format: uuid
     * @description The `run_id` of the run that this is a rerun of; null: none
     */
    rerun_of: string;
}
export interface RerunPlan {
    /**
     * @description True: nothing was started
     * @constant
     */
    dry_run: true;
    /**
     * Format: uuid
     * @description The `run_id` of the run that this is a rerun of; null: none
     */
    rerun_of: string;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Number of nodes by action */
    counts: RerunCounts;
    /** @description Nodes, and tools or nodes inside of them, whose effects the run has made, or may have made, and which would be repeated; when there are any, the rerun needs `confirm_effects` */
    effects_to_confirm: string[];
    /** @description The action for each node */
    nodes: RerunPlanNode[];
}
export interface RerunCounts {
    /** @description Number of reused nodes */
    reuse: number;
    /** @description Number of nodes that run */
    run: number;
    /** @description Number of skipped nodes */
    skip: number;
}
export interface RerunPlanNode {
    /** @description Id of the node in the definition */
    node_id: string;
    /** @description Name of the node; its id when it has none */
    node_name: string;
    /** @description Type of the node, such as `llm` */
    node_type: string;
    /**
     * @description Effect class of the node: the consequence of repeating it
     * @enum {string}
     */
    effect: "pure" | "idempotent" | "at_least_once" | "at_most_once";
    /**
     * @description Action for the node
     * @enum {string}
     */
    action: "reuse" | "run" | "skip";
    /**
     * @description Reason of the action
     * @enum {string}
     */
    reason: "completed" | "override" | "chosen" | "downstream" | "changed" | "not_completed" | "branch";
    /** @description Number of reused visits of the node */
    visits_reused: number;
    /** @description Tools of an agent, or nodes of a sub-workflow, whose effects the rerun would repeat */
    repeats: string[];
}
export interface Deployment {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Name of the workflow at the time of the deployment */
    name: string;
    /** @description Version of the snapshot; each deployment raises the major number: 1.0.0, 2.0.0 */
    version: string;
    /** @description Note of the user who deployed it; null: none */
    deployment_note: string | null;
    /** @description URL of an image of the canvas, not fetched by the service; null: none */
    schema_image_url: string | null;
    /** @description Id of the user who deployed it, also after the user was deleted */
    deployed_by: string | null;
    /** @description Whether new runs of the workflow use it; at most one deployment is live */
    is_live: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description Short description; null or empty: none */
    description: string | null;
}
export interface DeploymentList {
    /** @description The deployments of this page, newest first */
    deployments: DeploymentListItem[];
    /** @description Total number of matching items */
    total: number;
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface DeploymentListItem {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Name of the workflow at the time of the deployment */
    name: string;
    /** @description Version of the snapshot; each deployment raises the major number: 1.0.0, 2.0.0 */
    version: string;
    /** @description Note of the user who deployed it; null: none */
    deployment_note: string | null;
    /** @description URL of an image of the canvas, not fetched by the service; null: none */
    schema_image_url: string | null;
    /** @description Id of the user who deployed it, also after the user was deleted */
    deployed_by: string | null;
    /** @description Whether new runs of the workflow use it; at most one deployment is live */
    is_live: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface DeploymentDeactivated {
    /** @description Whether the operation succeeded */
    success: boolean;
    /** @description Description, human-readable */
    message: string;
    /**
     * Format: uuid
     * @description Id of the deployment that was live before; absent when there was none, or nothing changed
     */
    previous_live_deployment_id?: string;
}
export interface DeploymentDetail {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Name of the workflow at the time of the deployment */
    name: string;
    /** @description Version of the snapshot; each deployment raises the major number: 1.0.0, 2.0.0 */
    version: string;
    /** @description Note of the user who deployed it; null: none */
    deployment_note: string | null;
    /** @description URL of an image of the canvas, not fetched by the service; null: none */
    schema_image_url: string | null;
    /** @description Id of the user who deployed it, also after the user was deleted */
    deployed_by: string | null;
    /** @description Whether new runs of the workflow use it; at most one deployment is live */
    is_live: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description Short description; null or empty: none */
    description: string | null;
    /** @description The definition: the graph of nodes and edges */
    workflow_schema: WorkflowDefinition | WorkflowDraft;
    /** @description Default input of runs at the time of the deployment */
    input: JsonObject;
    /** @description Default settings of runs at the time of the deployment */
    config: JsonObject;
}
export interface DeploymentDeleted {
    /** @description Whether the operation succeeded */
    success: boolean;
    /** @description Description, human-readable */
    message: string;
    /**
     * Format: uuid
     * @description Id of the deleted deployment
     */
    deleted_deployment_id: string;
    /** @description Whether the deleted deployment was live */
    was_live: boolean;
    /**
     * Format: uuid
     * @description Id of the deployment that is live now; absent when there is none
     */
    new_live_deployment_id?: string;
}
export interface DeploymentActivated {
    /** @description Whether the operation succeeded */
    success: boolean;
    /** @description Description, human-readable */
    message: string;
    /**
     * Format: uuid
     * @description Id of the deployment that is live now
     */
    deployment_id: string;
    /**
     * Format: uuid
     * @description Id of the deployment that was live before; absent when there was none, or nothing changed
     */
    previous_live_deployment_id?: string;
}
export type OrganizationList = Organization[];
export interface Organization {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Display name */
    name: string;
    /** @description Unique name for URLs */
    slug: string;
    /** @description Domain of the organization, not verified; empty: none */
    domain: string;
    /** @description Whether it can be used */
    is_active: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface OrganizationDetail {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Display name */
    name: string;
    /** @description Unique name for URLs */
    slug: string;
    /** @description Domain of the organization, not verified; empty: none */
    domain: string;
    /** @description Whether it can be used */
    is_active: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description Id of the customer at Stripe; null: none */
    stripe_customer_id: string | null;
    /** @description Free-form settings of the organization */
    settings: JsonObject;
    /** @description Days after their end that runs are kept, 1 to 3,650; null: for good. Shorter deletes older runs within minutes */
    run_retention_days: number | null;
    /** @description Whether the organization has ever had a trial */
    has_ever_trialed: boolean;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface MemberList {
    /** @description The members of the organization */
    members: Member[];
    /** @description Total number of matching items */
    total: number;
}
export interface Member {
    /**
     * Format: uuid
     * @description Id of the user
     */
    user_id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Email address of the person */
    email: string;
    /** @description `owner` or `admin`; the retired role `member` has no permissions */
    role: string;
    /** @description Whether the user may use the service */
    is_active: boolean;
    /**
     * Format: date-time
     * @description Start of the membership, ISO 8601 UTC
     */
    created_at: string;
}
export interface Invitation {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Name of the organization */
    organization_name: string;
    /** @description Email address of the person */
    email: string;
    /** @description The role of the person after joining */
    role: string;
    /**
     * @description Whether the person has joined
     * @enum {string}
     */
    status: "pending" | "accepted";
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface InvitationList {
    /** @description The invitations */
    invitations: Invitation[];
}
export interface Credential {
    /**
     * Format: uuid
     * @description Id of the credential, used in nodes and knowledge bases
     */
    credential_id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Display name */
    name: string;
    /** @description Name of the integration in the catalog */
    integration: string;
    /** @description Authentication type of the integration */
    auth_type: string;
    /**
     * @description `organization`: all members may use it
     * @constant
     */
    scope: "organization";
    /**
     * @description Whether the credential can be used
     * @enum {string}
     */
    status: "active" | "expired" | "error" | "revoked";
    /** @description Reason why the credential cannot be used; null: it can */
    status_message: string | null;
    /** @description The data with masked secrets: at most the last four characters */
    masked: {
        [key: string]: string;
    };
    /** @description OAuth scopes, requested or granted */
    scopes: string[];
    /** @description Hosts that may receive the secret: `host:port`, or `host` for https; null: the host of the account */
    allowed_hosts: string[];
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at: string | null;
    /** @description Time of the last use, ISO 8601 UTC; null: never used */
    last_used_at: string | null;
    /** @description Time of the last test, ISO 8601 UTC; null: never tested */
    last_tested_at: string | null;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface CredentialList {
    /** @description The credentials of the organization */
    credentials: Credential[];
    /** @description Total number of matching items */
    total: number;
}
export interface Authorization {
    /** @description URL of the provider where the user grants access; it redirects back to the web application */
    authorization_url: string;
    /** @description OAuth `state`: identifies the authorization in the redirect */
    state: string;
    /**
     * Format: date-time
     * @description End of the time to complete the authorization, ISO 8601 UTC
     */
    expires_at: string;
}
export interface CredentialDetail {
    /**
     * Format: uuid
     * @description Id of the credential, used in nodes and knowledge bases
     */
    credential_id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Display name */
    name: string;
    /** @description Name of the integration in the catalog */
    integration: string;
    /** @description Authentication type of the integration */
    auth_type: string;
    /**
     * @description `organization`: all members may use it
     * @constant
     */
    scope: "organization";
    /**
     * @description Whether the credential can be used
     * @enum {string}
     */
    status: "active" | "expired" | "error" | "revoked";
    /** @description Reason why the credential cannot be used; null: it can */
    status_message: string | null;
    /** @description The data with masked secrets: at most the last four characters */
    masked: {
        [key: string]: string;
    };
    /** @description OAuth scopes, requested or granted */
    scopes: string[];
    /** @description Hosts that may receive the secret: `host:port`, or `host` for https; null: the host of the account */
    allowed_hosts: string[];
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at: string | null;
    /** @description Time of the last use, ISO 8601 UTC; null: never used */
    last_used_at: string | null;
    /** @description Time of the last test, ISO 8601 UTC; null: never tested */
    last_tested_at: string | null;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Numbers of resources that use the credential */
    in_use_by: CredentialUse;
}
export interface CredentialUse {
    /** @description Number of workflows with a node that uses it, in the draft or in a deployment */
    workflows: number;
    /** @description Number of knowledge bases that create embeddings with it */
    knowledge_bases: number;
}
export interface CredentialTest {
    /** @description Whether the account accepted the credential */
    success: boolean;
    /** @description Result of the test, human-readable */
    message: string;
    /**
     * @description Whether the credential can be used
     * @enum {string}
     */
    status: "active" | "expired" | "error" | "revoked";
}
export interface CredentialToolList {
    /** @description The tools that the MCP server has now */
    tools: CredentialTool[];
    /** @description Total number of matching items */
    total: number;
}
export interface CredentialTool {
    /** @description Name of the tool */
    name: string;
    /** @description Description of the tool by the server */
    description: string;
    /** @description JSON Schema of the arguments */
    input_schema: JsonObject;
}
export interface ModelList {
    /** @description The models, by id */
    models: ProviderModel[];
    /** @description Total number of matching items */
    total: number;
    /** @description Why the list is empty: no managed endpoint, a provider without a list, a refused credential, or no answer; null: it is the list of the provider */
    reason: ("not_configured" | "not_listed" | "refused" | "unavailable") | null;
}
export interface ProviderModel {
    /** @description Id of the model, for the field `model` of nodes */
    id: string;
}
export interface IntegrationList {
    /** @description The matching integrations, in the order of the catalog */
    integrations: IntegrationSummary[];
    /** @description Total number of matching items */
    total: number;
}
export interface IntegrationSummary {
    /** @description Name in definitions and credentials */
    name: string;
    /** @description Display name */
    display_name: string;
    /** @description Short description; null or empty: none */
    description: string;
    /** @description Version of the catalog entry; new versions are backward compatible */
    version: string;
    /** @description Category of the integration */
    category: string;
    /** @description URL of the provider's documentation; null: none */
    docs_url: string | null;
    /** @description Tags to filter by */
    tags: string[];
    /** @description Free-form metadata */
    extra_metadata: JsonObject;
    /** @description Authentication of the integration */
    auth: IntegrationAuth[];
    /** @description The organization has an active credential */
    connected: boolean;
    /** @description The actions of the integration */
    actions: IntegrationActionSummary[];
}
export interface IntegrationAuth {
    /** @description The `auth_type` of credentials */
    type: string;
    /** @description Whether the actions need a credential */
    required: boolean;
    /** @description OAuth scopes, requested or granted */
    scopes: string[];
    /** @description JSON Schema of the `data` of credentials */
    schema: JsonObject;
}
export interface IntegrationActionSummary {
    /** @description Name in definitions */
    name: string;
    /** @description Display name */
    display_name: string;
    /** @description Short description; null or empty: none */
    description: string;
    /** @description Whether repeating the action has no further effect */
    idempotent: boolean;
    /** @description Whether the action needs a credential */
    requires_auth: boolean;
}
export interface Integration {
    /** @description Name in definitions and credentials */
    name: string;
    /** @description Display name */
    display_name: string;
    /** @description Short description; null or empty: none */
    description: string;
    /** @description Version of the catalog entry; new versions are backward compatible */
    version: string;
    /** @description Category of the integration */
    category: string;
    /** @description URL of the provider's documentation; null: none */
    docs_url: string | null;
    /** @description Tags to filter by */
    tags: string[];
    /** @description Free-form metadata */
    extra_metadata: JsonObject;
    /** @description Authentication of the integration */
    auth: IntegrationAuth[];
    /** @description The organization has an active credential */
    connected: boolean;
    /** @description The actions of the integration */
    actions: IntegrationAction[];
}
export interface IntegrationAction {
    /** @description Name in definitions */
    name: string;
    /** @description Display name */
    display_name: string;
    /** @description Short description; null or empty: none */
    description: string;
    /** @description Whether repeating the action has no further effect */
    idempotent: boolean;
    /** @description Whether the action needs a credential */
    requires_auth: boolean;
    /** @description JSON Schema of the parameters */
    input_schema: JsonObject;
    /** @description JSON Schema of the result */
    output_schema: JsonObject;
}
export interface CreatedApiKey {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Display name */
    name: string;
    /** @description The first 8 characters of the random part */
    key_hint: string;
    /** @description The key with its prefix and hint; the rest is masked */
    masked_key: string;
    /** @description The only organization in which the key is valid; null: all of its owner */
    organization_id: string | null;
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at: string | null;
    /** @description Whether `expires_at` is past */
    is_expired: boolean;
    /** @description False after the key was revoked */
    is_active: boolean;
    /** @description Maximum number of requests in 60 seconds */
    rate_limit_per_minute: number;
    /** @description Time of the last use, ISO 8601 UTC; null: never used */
    last_used_at: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description Time of the revocation, ISO 8601 UTC; null: not revoked */
    revoked_at: string | null;
    /** @description The full key; returned only here */
    key: string;
}
export interface TooManyKeys {
    /** @description Description of the error */
    detail: {
        /**
         * @description Stable code for programs
         * @constant
         */
        code: "MAX_KEYS_EXCEEDED";
        /** @description Description of the error, human-readable */
        message: string;
    };
}
export interface ApiKeyList {
    /** @description The caller's keys, including revoked ones */
    api_keys: ApiKey[];
    /** @description Total number of matching items */
    total: number;
}
export interface ApiKey {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Display name */
    name: string;
    /** @description The first 8 characters of the random part */
    key_hint: string;
    /** @description The key with its prefix and hint; the rest is masked */
    masked_key: string;
    /** @description The only organization in which the key is valid; null: all of its owner */
    organization_id: string | null;
    /** @description Time of expiry, ISO 8601 UTC; null: never */
    expires_at: string | null;
    /** @description Whether `expires_at` is past */
    is_expired: boolean;
    /** @description False after the key was revoked */
    is_active: boolean;
    /** @description Maximum number of requests in 60 seconds */
    rate_limit_per_minute: number;
    /** @description Time of the last use, ISO 8601 UTC; null: never used */
    last_used_at: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description Time of the revocation, ISO 8601 UTC; null: not revoked */
    revoked_at: string | null;
}
export interface ServiceAccount {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Display name */
    name: string;
    /** @description Role of the account in the organization */
    role: string;
    /** @description Requests in 60 seconds, across all keys of the account */
    rate_limit_per_minute: number;
    /** @description The user who created it; stays when the user leaves */
    created_by: string | null;
    /** @description Email address of the user who created it; null: unknown */
    created_by_email: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface ServiceAccountList {
    /** @description The service accounts of the organization, oldest first */
    service_accounts: ServiceAccount[];
    /** @description Total number of matching items */
    total: number;
}
export interface Me {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Id of the user at the identity provider */
    subject: string;
    /** @description Email address of the person */
    email: string;
    /** @description Role of the user in the service, such as `USER`; independent of roles in organizations */
    role: string;
    /** @description Whether it can be used */
    is_active: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface MyOrganizationList {
    /** @description The organizations that the user belongs to */
    organizations: MyOrganization[];
}
export interface MyOrganization {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description The same as `id`
     */
    organization_id: string;
    /** @description Display name */
    name: string;
    /** @description Unique name for URLs */
    slug: string;
    /** @description Domain of the organization, not verified; empty: none */
    domain: string;
    /** @description Role of the user in the organization */
    role: string;
    /** @description Whether it can be used */
    is_active: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface ChatPage {
    /** @description The items of this page */
    items: Chat[];
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
}
export interface Chat {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Id of the thread; send it with the next message to continue the chat */
    thread_id: string;
    /** @description Title of the chat */
    title: string;
    /**
     * @description Status of the last run
     * @enum {string}
     */
    status: "idle" | "running" | "interrupted" | "error";
    /** @description Start of the last message; null without one */
    last_message_preview: string | null;
    /** @description Number of messages */
    message_count: number;
    /** @description Id of the workflow that the Composer edits in the chat; null: none */
    workflow_id: string | null;
    /** @description Whether the user pinned the chat; the order of lists does not change */
    pinned: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface ChatMessagePage {
    /** @description The items of this page */
    items: ChatMessage[];
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
}
export interface ChatMessage {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * @description Author of the message
     * @enum {string}
     */
    role: "human" | "ai";
    /** @description The text */
    content: string;
    /**
     * @description Status of the run of an answer; `completed` for messages of the user
     * @enum {string}
     */
    status: "completed" | "pending" | "interrupted" | "failed" | "cancelled";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /**
     * Format: uuid
     * @description Id of the chat of the run; null: none
     */
    chat_id: string;
    /** @description Reason of the failure; null without one */
    error: ChatMessageError | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface ChatMessageError {
    /** @description Stable code for programs */
    code: string;
    /** @description Description, human-readable */
    message: string;
}
export interface AssistantAnswer {
    /**
     * @description The run was started
     * @constant
     */
    status: "running";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /** @description Whether the run is left out of the history and of threads */
    ephemeral: boolean;
    /** @description The value of `stream` at the start */
    stream: boolean;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Duration of the request, in milliseconds */
    elapsed_ms: number;
    /** @description The message of the user: the message or text of the input, else the input as JSON */
    human_message: RunMessage;
    /** @description The answer of the run; empty until it is complete */
    ai_message: RunMessage;
    /** @description Description of the result, human-readable */
    message: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
    /** @description Path of the event stream of the run */
    stream_url: string;
}
export interface ComposerAnswer {
    /**
     * @description The run was started
     * @constant
     */
    status: "running";
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the thread of the run; null: none, such as for an ephemeral run */
    thread_id: string | null;
    /** @description Id of the chat of the run; null: none */
    chat_id: string | null;
    /** @description Whether the run is left out of the history and of threads */
    ephemeral: boolean;
    /** @description The value of `stream` at the start */
    stream: boolean;
    /** @description Name of the workflow at the start of the run */
    workflow_name: string;
    /** @description Version of the deployment, or the version in an inline definition */
    workflow_version: string;
    /** @description `database`, `request`, or `system:` and a name */
    workflow_source: string;
    /** @description Duration of the request, in milliseconds */
    elapsed_ms: number;
    /** @description The message of the user: the message or text of the input, else the input as JSON */
    human_message: RunMessage;
    /** @description The answer of the run; empty until it is complete */
    ai_message: RunMessage;
    /** @description Description of the result, human-readable */
    message: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
    /** @description Path of the event stream of the run */
    stream_url: string;
    /** @description Id of the workflow that is edited; null: a new one is created */
    workflow_id: string | null;
    /** @description Its `edit_version` before the edit; null for a new workflow */
    edit_version: number | null;
}
export interface Subscription {
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Name of the plan, such as `pro` */
    plan: string;
    /** @description Whether the operator has suspended the subscription */
    is_suspended: boolean;
    /**
     * Format: date-time
     * @description Start of the billing month, ISO 8601 UTC
     */
    period_start: string;
    /**
     * Format: date-time
     * @description End of the billing month, ISO 8601 UTC
     */
    period_end: string;
    /** @description Credits of the billing month; 100 credits are one currency unit */
    credits: Credits;
    /** @description Prepaid credits for usage beyond the monthly credits */
    wallet: Wallet;
    /** @description Limits of the plan */
    entitlements: Entitlements;
}
export interface Credits {
    /** @description Credits used this month */
    used: number;
    /** @description Credits reserved for work in progress */
    reserved: number;
    /** @description Monthly credits of the plan; null: unlimited */
    limit: number | null;
    /** @description Credits left this month; null: unlimited */
    remaining: number | null;
}
export interface Wallet {
    /** @description Credits in the wallet */
    balance: number;
    /** @description Whether usage beyond the monthly credits is charged to the wallet */
    extra_usage_enabled: boolean;
}
export interface Entitlements {
    /** @description Maximum number of runs in 60 seconds; null: unlimited, 0: none */
    sync_exec: number | null;
    /** @description Maximum number of requests in 60 seconds; null: unlimited, 0: none */
    api: number | null;
    /** @description Maximum number of knowledge bases; null: unlimited, 0: none */
    knowledge_bases: number | null;
}
export interface DailyUsage {
    /** @description Usage per day, oldest first */
    days: DayOfUsage[];
}
export interface DayOfUsage {
    /**
     * Format: date
     * @description The day in UTC, ISO 8601
     */
    day: string;
    /** @description Credits charged for work that started that day; 100 credits are one currency unit */
    credits: number;
    /** @description Number of runs that started that day, without sub-workflows */
    runs: number;
    /** @description Input tokens of models, including those on the organization's own accounts */
    input_tokens: number;
    /** @description Output tokens of models, including those on the organization's own accounts */
    output_tokens: number;
}
export interface WalletLedgerPage {
    /** @description The items of this page */
    items: WalletLedgerEntry[];
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
}
export interface WalletLedgerEntry {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * @description Top-up, usage, or adjustment by the operator
     * @enum {string}
     */
    kind: "topup" | "usage" | "adjustment";
    /** @description Change in credits; negative for usage */
    amount: number;
    /** @description Credits in the wallet after the entry */
    balance: number;
    /** @description Free-form metadata */
    extra_metadata: JsonObject;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface PaidSubscriptionRequired {
    /** @description Description of the error */
    detail: {
        /** @description Stable reason of the refusal: `paid_subscription_required` */
        reason: string;
    };
}
export interface Topup {
    /** @description URL of the checkout page */
    checkout_url: string;
}
export interface StripeEventReceived {
    /**
     * @description The event was accepted
     * @constant
     */
    received: true;
}
export interface Schedule {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /**
     * Format: uuid
     * @description Id of the workflow whose live deployment runs
     */
    workflow_id: string;
    /** @description Display name */
    name: string;
    /** @description Cron expression: minute, hour, day of month, month, day of week */
    cron_expression: string;
    /** @description IANA time zone of the cron expression; UTC by default */
    timezone: string;
    /** @description Input of each run, merged over the default input of the deployment */
    input: JsonObject;
    /** @description Settings of each run */
    config: JsonObject;
    /** @description Whether the schedule starts runs */
    enabled: boolean;
    /**
     * @description When a run of the schedule is still open at the next time, such as one that waits for an answer: `skip` skips the time and counts it in `skipped_count`, `buffer_one` starts one run afterwards and skips the rest, `allow_all` starts a concurrent run, and the others end the open run
     * @enum {string}
     */
    overlap_policy: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
    /** @description Maximum delay of a run after an outage, in seconds */
    catchup_window_seconds: number;
    /** @description No runs before this time, ISO 8601 UTC; null: no limit */
    start_at: string | null;
    /** @description No runs after this time, ISO 8601 UTC; null: no limit */
    end_at: string | null;
    /** @description Disables the schedule after this number of runs; null: unlimited */
    max_runs: number | null;
    /** @description Number of failed runs since the last success; 20 disable the schedule */
    consecutive_failures: number;
    /** @description Why the service disabled the schedule; null: it did not */
    disabled_reason: string | null;
    /** @description Time of the next run, ISO 8601 UTC; null: none, or the schedule is disabled */
    next_run_at: string | null;
    /** @description Time of the last run, ISO 8601 UTC; null before the first */
    last_run_at: string | null;
    /** @description The `run_id` of the last run; null before the first */
    last_run_id: string | null;
    /** @description Number of runs */
    run_count: number;
    /** @description Number of times skipped because a run of the schedule was still open; those of `buffer_one` are counted within five minutes */
    skipped_count: number;
    /** @description The last skipped time, ISO 8601 UTC; null: none */
    last_skipped_at: string | null;
    /** @description The `run_id` of the run that was open at that time; null: none */
    last_skipped_run_id: string | null;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface ScheduleList {
    /** @description The schedules of this page */
    schedules: Schedule[];
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface ScheduledRunList {
    /** @description The runs of this page, newest first */
    runs: ScheduledRun[];
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface ScheduledRun {
    /**
     * Format: uuid
     * @description Id of the run in the history: `run_pk` in paths
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one
     */
    run_id: string;
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id: string | null;
    /** @description Id of the deployment; null for a run without one */
    deployment_id: string | null;
    /** @description Trigger of the run: `api`, `schedule`, `webhook`, `chat`, `error` for an error workflow, or `workflow` for a node of another run */
    trigger_type: string;
    /** @description Whether the run has an inline definition instead of a deployment */
    is_ad_hoc: boolean;
    /**
     * @description Status of the run; `interrupted`: it waits for an answer, or was answered
     * @enum {string}
     */
    status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
    /**
     * Format: date-time
     * @description Time of the start, ISO 8601 UTC
     */
    started_at: string;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /** @description Duration in seconds; null until the end */
    duration_seconds: number | null;
    /** @description Reason of the failure, human-readable; null without one */
    error_message: string | null;
    /** @description Start of the output as text; null without an output */
    output_summary: string | null;
    /** @description Whether the run has an output */
    has_output: boolean;
    /** @description Names and values that the start of the run carried */
    metadata: {
        [key: string]: string;
    };
    /** @description When the retention deleted the inputs, outputs, logs and messages of the run; null: they are stored */
    values_deleted_at: string | null;
    /** @description Whether a question of the run waits for an answer */
    has_open_interrupts: boolean;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Scheduled time of the run, ISO 8601 UTC
     */
    scheduled_at: string;
}
export interface ScheduleFirings {
    /** @description IANA time zone of the cron expression; UTC by default */
    timezone: string;
    /** @description The next times in order, of which `limit` start a run */
    firings: ScheduleFiring[];
    /** @description The times of the next 365 days that a daylight saving change skips or repeats, at most 100 */
    clock_changes: ScheduleFiring[];
}
export interface ScheduleFiring {
    /** @description Scheduled time, ISO 8601 UTC; null: skipped, because the local time does not exist */
    scheduled_at: string | null;
    /** @description Local time in the time zone of the schedule */
    local_time: string;
    /** @description `skipped`: the local time does not exist because of a daylight saving change; `repeated`: it occurs twice; null: neither */
    clock_change: ("skipped" | "repeated") | null;
}
export interface Hook {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description Name of the webhook, for people */
    name: string;
    /** @description Whether the address starts runs; a disabled one answers 404 */
    enabled: boolean;
    /** @description Address of the webhook; whoever has it can call it */
    url: string;
    /** @description Until when the address before the last rotation works; null: it does not */
    previous_url_until: string | null;
    /**
     * @description How requests prove their sender
     * @enum {string}
     */
    verification: "none" | "bearer" | "basic" | "standard" | "github" | "stripe" | "slack";
    /** @description Number of secrets that are stored */
    secret_count: number;
    /** @description Methods whose requests start runs; others are 405. HEAD starts none. Link previews send GET, so it is for senders that can do no other */
    methods: ("POST" | "PUT" | "GET")[];
    /** @description Rules over `method`, `headers`, `query` and `body`; null: every request starts a run */
    filter: Json;
    /** @description Templates that make the input of the run; null: the body, or the query of a request without one */
    mapping: JsonObject | null;
    /**
     * @description How requests of 24 hours are recognized as one event: by the id of the sender, where a request without one starts a run; by method, query and body; or not at all. Of a sender that signs, only what is signed counts: the body by content, and the body for both ways of `github`
     * @enum {string}
     */
    deduplicate_by: "sender_id" | "content" | "none";
    /** @description Header with the id of an event, for `sender_id`; null: `Idempotency-Key` for `none`, `bearer` and `basic`, `webhook-id` for `standard`, the body for `github`, its `id` for `stripe` and its `event_id` for `slack`, or time and body without one. A header that is named here is not signed */
    id_header: string | null;
    /** @description How the sender is answered: by default 202 once the run is accepted, the result of the run, or what `respond` of a node says */
    response: JsonObject;
    /** @description Number of requests that were not verified, had another method, were too large, or could not be read; bursts count once a second */
    rejected_count: number;
    /** @description When a request was last rejected; null: never */
    last_rejected_at: string | null;
    /** @description Why: `signature_missing`, `signature_wrong`, `signature_too_old`, `secret_invalid` for a stored secret that is no key, `method_not_allowed`, `body_too_large`, or the `error.code` of the delivery that was `rejected` */
    last_rejected_reason: string | null;
    /** @description When a verified request last came; null: never */
    last_delivery_at: string | null;
    /** @description Outcomes of its last 100 deliveries within 7 days. When all are `filtered`, the filter may be wrong */
    recent_deliveries: HookRecentDeliveries;
    /** @description Until when somebody listens for a test event; null: nobody does */
    listening_until: string | null;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface HookRecentDeliveries {
    /** @description Number that started a run */
    started: number;
    /** @description Number that the filter left out */
    filtered: number;
    /** @description Number that could start no run, because of the mapping, the workflow or the plan */
    failed: number;
    /** @description Number of test events */
    captured: number;
    /** @description Number that could not be read */
    rejected: number;
}
export interface HookList {
    /** @description The webhooks of the workflow, newest first */
    hooks: Hook[];
}
export interface HookDeliveryList {
    /** @description The requests, newest first */
    deliveries: HookDelivery[];
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface HookDelivery {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the webhook
     */
    hook_id: string;
    /**
     * Format: date-time
     * @description When the request came
     */
    received_at: string;
    /**
     * @description `started` a run, was `filtered`, `failed`, was `captured` as a test event without a run, or was verified and `rejected`, because it could not be read
     * @enum {string}
     */
    outcome: "started" | "filtered" | "failed" | "captured" | "rejected";
    /** @description Why no run was started; null when one was */
    error: HookError;
    /** @description Id of the run in the history: `run_pk` in paths */
    run_pk: string | null;
    /** @description Id of the run for its stream and for cancelling; answering a question continues the run under a new one */
    run_id: string | null;
    /** @description The delivery that this one repeats by hand; null: it came from the sender */
    redelivery_of: string | null;
    /** @description The request without the headers that carry secrets; empty once its run, or the values of its run, were deleted */
    request: HookRequest;
    /** @description Input that the mapping of today makes of the request; null when it cannot, and when the request was deleted */
    input: JsonObject | null;
    /** @description What a node responded to the sender; null: nothing */
    response: HookSentResponse;
}
export type HookError = {
    /** @description Stable code for programs */
    code: string;
    /** @description Why, for people */
    message: string;
} | null;
export interface HookRequest {
    /** @description Method of the request */
    method: string;
    /** @description Headers of the request, their names in lower case */
    headers: JsonObject;
    /** @description Query of the request; a name that is given several times has a list */
    query: JsonObject;
    /** @description JSON value, fields of a form, text, or `{base64, media_type, size}` of bytes that are no text; the event in `payload` of a form of GitHub or Slack; the bytes as text when the request was rejected */
    body: Json;
}
export interface SentHeaders {
    [key: string]: string;
}
export type HookSentResponse = {
    /** @description Status of the response */
    status: number;
    /** @description Content-Type of the response */
    content_type: string;
    /** @description Headers of the response */
    headers: SentHeaders;
    /** @description Body of the response */
    body: Json;
} | null;
export interface HookReceived {
    /**
     * @description The run was accepted, is that of an earlier duplicate, the filter left the request out, or it is a test event without a run
     * @enum {string}
     */
    status: "accepted" | "duplicate" | "filtered" | "captured";
    /**
     * Format: uuid
     * @description Id of the delivery in the log of the webhook
     */
    delivery_id: string;
    /** @description The run; null when none was started */
    run_id: string | null;
}
export interface CallbackAnswered {
    /**
     * @description `delivered`: the run goes on; `kept`: the run gets the answer when its node waits for it
     * @enum {string}
     */
    status: "delivered" | "kept";
}
export interface ErrorWorkflow {
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description The workflow that is started when a run fails; null: none */
    error_workflow_id: string | null;
}
export interface NotificationEndpointWithSecret {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Name of the endpoint, for people */
    name: string;
    /** @description URL that events are posted to: http or https, of a public host */
    url: string;
    /** @description Types of the events that are sent; all of them by default */
    event_types: string[];
    /** @description The workflows whose events are sent; null: those of all */
    workflow_ids: string[] | null;
    /** @description Whether events are sent; disabling the endpoint fails its pending deliveries */
    enabled: boolean;
    /** @description Until when the secret before the last rotation signs as well; null: it does not */
    previous_secret_until: string | null;
    /** @description Since when the endpoint has accepted nothing; null: its last attempt succeeded */
    failing_since: string | null;
    /** @description Why the service disabled the endpoint; null: it did not */
    disabled_reason: string | null;
    /** @description When an attempt was last made; null: never */
    last_delivery_at: string | null;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
    /** @description Secret that signs the requests (Standard Webhooks); only creation and rotation show it */
    secret: string;
}
export interface NotificationEndpointList {
    /** @description The endpoints of the organization, newest first */
    endpoints: NotificationEndpoint[];
}
export interface NotificationEndpoint {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Name of the endpoint, for people */
    name: string;
    /** @description URL that events are posted to: http or https, of a public host */
    url: string;
    /** @description Types of the events that are sent; all of them by default */
    event_types: string[];
    /** @description The workflows whose events are sent; null: those of all */
    workflow_ids: string[] | null;
    /** @description Whether events are sent; disabling the endpoint fails its pending deliveries */
    enabled: boolean;
    /** @description Until when the secret before the last rotation signs as well; null: it does not */
    previous_secret_until: string | null;
    /** @description Since when the endpoint has accepted nothing; null: its last attempt succeeded */
    failing_since: string | null;
    /** @description Why the service disabled the endpoint; null: it did not */
    disabled_reason: string | null;
    /** @description When an attempt was last made; null: never */
    last_delivery_at: string | null;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface NotificationDelivery {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the notification endpoint
     */
    endpoint_id: string;
    /**
     * Format: uuid
     * @description Id of the event, the `webhook-id` of every attempt
     */
    event_id: string;
    /** @description Type of the event */
    event_type: string;
    /**
     * @description `pending` until the endpoint accepts it, `failed` after 24 hours
     * @enum {string}
     */
    status: "pending" | "delivered" | "failed";
    /** @description Why the last attempt failed, or `endpoint_disabled`; null after a success */
    error_code: string | null;
    /** @description Number of attempts */
    attempt_count: number;
    /** @description The attempts, oldest first */
    attempts: NotificationAttempt[];
    /** @description When the next attempt is due; null when there is none */
    next_attempt_at: string | null;
    /** @description The delivery that this one repeats by hand; null: the event caused it */
    replay_of: string | null;
    /** @description Body of the request */
    payload: JsonObject;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
}
export interface NotificationAttempt {
    /**
     * Format: date-time
     * @description Time of the attempt, ISO 8601 UTC
     */
    at: string;
    /** @description Time until the answer or the failure, in milliseconds */
    duration_ms: number;
    /** @description HTTP status of the answer; null without one */
    status: number | null;
    /** @description Why the attempt failed; null after a success */
    error_code: string | null;
    /** @description First kilobyte of the answer; null without one */
    response: string | null;
}
export interface NotificationDeliveryList {
    /** @description The deliveries, newest first */
    deliveries: NotificationDelivery[];
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface Alert {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description The workflow whose runs count; null: all workflows of the organization */
    workflow_id: string | null;
    /** @description Name of the alert, for people */
    name: string;
    /**
     * @description `failures_in_row`; `failure_rate` of at least 5 runs in the window; `silence`: no run; `duration`; `cost` in credits
     * @enum {string}
     */
    kind: "failures_in_row" | "failure_rate" | "silence" | "duration" | "cost";
    /** @description Value from which the alert fires: runs, percent, seconds or credits; `silence` has none */
    threshold: number | null;
    /** @description Length of the window in minutes; for `silence` the limit; `failures_in_row` has none */
    window_minutes: number | null;
    /** @description Whether the alert is checked */
    enabled: boolean;
    /** @description Since when the alert is firing; null: it is not */
    firing_since: string | null;
    /** @description Last measured value, in minutes for `silence`; null: nothing to measure */
    value: number | null;
    /** @description When the alert was last checked; null: not yet */
    checked_at: string | null;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface AlertList {
    /** @description The alerts of the organization, newest first */
    alerts: Alert[];
}
export interface AuditLogPage {
    /** @description The entries, newest first */
    entries: AuditEntry[];
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
}
export interface AuditEntry {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description The organization; null: the whole deployment */
    organization_id: string | null;
    /** @description What was done: the type of the object and a verb, such as `api_key.revoked` */
    action: string;
    /** @description Who did it */
    actor: AuditActor;
    /** @description What it was done to */
    object: AuditObject;
    /** @description Address of the caller; null: no request */
    ip_address: string | null;
    /** @description The `X-Request-ID` of the response; null: no request */
    request_id: string | null;
    /** @description Names of changed `fields`, and former and new values of those that are not secret as `changes` */
    details: JsonObject;
}
export interface AuditActor {
    /**
     * @description `operator` is the command line of the deployment, `system` the service itself
     * @enum {string}
     */
    type: "user" | "service_account" | "operator" | "system";
    /** @description Id of the user or service account; null for others */
    id: string | null;
    /** @description Email address, name of the service account, or name of the operator */
    name: string | null;
    /** @description The API key of the request; null: a signed-in person */
    api_key_id: string | null;
}
export interface AuditObject {
    /** @description Type of the object, such as `credential` */
    type: string;
    /** @description Id of the object, which may be deleted */
    id: string | null;
    /** @description Its name at that time; null: it has none */
    name: string | null;
}
export interface Retention {
    /** @description Days after their end that runs are kept, 1 to 3,650; null: for good. Shorter deletes older runs within minutes */
    run_retention_days: number | null;
    /** @description Days after their end that inputs, outputs, state, messages and events of runs are kept, 1 to 3,650; null: as long as the runs */
    value_retention_days: number | null;
    /** @description Paths whose values new runs replace by `[redacted]` before anything is stored: names separated by dots, `*` for one level, `**` for any depth, such as `customer.ssn`, `**.password` or `items.*.card`; at most 50 */
    redacted_paths: string[];
    /** @description Days that new entries of the audit log are kept, 90 to 3,650, set by owners alone; null: for good */
    audit_retention_days: number | null;
    /** @description The workflows with settings of their own: their days replace those of the organization, their paths are added */
    workflows: WorkflowRetention[];
}
export interface WorkflowRetention {
    /**
     * Format: uuid
     * @description Id of the workflow; null when there is none, such as for a run of an inline definition
     */
    workflow_id: string;
    /** @description Display name */
    name: string;
    /** @description Days after their end that runs are kept, 1 to 3,650; null: for good. Shorter deletes older runs within minutes */
    run_retention_days: number | null;
    /** @description Days after their end that inputs, outputs, state, messages and events of runs are kept, 1 to 3,650; null: as long as the runs */
    value_retention_days: number | null;
    /** @description Paths whose values new runs replace by `[redacted]` before anything is stored: names separated by dots, `*` for one level, `**` for any depth, such as `customer.ssn`, `**.password` or `items.*.card`; at most 50 */
    redacted_paths: string[];
}
export interface DataJobList {
    /** @description The jobs, newest first */
    jobs: DataJob[];
}
export interface DataJob {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /**
     * @description `export` or `erasure`
     * @enum {string}
     */
    kind: "export" | "erasure";
    /**
     * @description What the job is about: the organization, a member, or the runs with some metadata
     * @enum {string}
     */
    subject: "organization" | "member" | "metadata";
    /** @description The member; null for other subjects */
    user_id: string | null;
    /** @description Pairs that the metadata of a run includes; null for other subjects */
    metadata: {
        [key: string]: string;
    } | null;
    /**
     * @description Current status
     * @enum {string}
     */
    status: "pending" | "running" | "completed" | "cancelled";
    /** @description How far the job is */
    progress: DataJobProgress;
    /** @description Rows by table that were exported, deleted or changed */
    counts: {
        [key: string]: number;
    };
    /** @description Size of the JSON Lines that are handed out, in bytes; 0 for an erasure */
    bytes: number;
    /** @description SHA-256 of the JSON Lines that are handed out, in hexadecimal digits, as sha256sum shows it; null until they are complete, and for an erasure */
    sha256: string | null;
    /** @description The user who asked for it; null: the operator */
    requested_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /** @description Time of the start, ISO 8601 UTC */
    started_at: string | null;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /** @description When the file is deleted; null: there is none */
    expires_at: string | null;
}
export interface DataJobProgress {
    /** @description The table that it is at; null: it is completed */
    stage: string | null;
    /** @description Completed stages */
    done: number;
    /** @description All stages */
    total: number;
}
export interface OpenAiModelList {
    /**
     * @description Kind of the object
     * @constant
     */
    object: "list";
    /** @description The models, last edited workflow first */
    data: OpenAiModel[];
}
export interface OpenAiModel {
    /** @description Name of the model in requests: the slug of the name of the workflow, or its id */
    id: string;
    /**
     * @description Kind of the object
     * @constant
     */
    object: "model";
    /** @description Time of creation, in Unix seconds */
    created: number;
    /** @description Id of the organization */
    owned_by: string;
    /** @description Id of the workflow; null when there is none, such as for a run of an inline definition */
    workflow_id: string;
    /** @description Name of the deployment */
    name: string;
}
export interface OpenAiError {
    /** @description Reason of the failure; null without one */
    error: OpenAiErrorFields;
}
export interface OpenAiErrorFields {
    /** @description Description, human-readable */
    message: string;
    /** @description Discriminator of the alternatives */
    type: string;
    /** @description The field of the request that is wrong; null when no single one is */
    param: string | null;
    /** @description Stable code for programs */
    code: string | null;
}
export interface ChatCompletion {
    /** @description Unique id */
    id: string;
    /** @description Time of creation, in Unix seconds */
    created: number;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /**
     * @description Kind of the object
     * @constant
     */
    object: "chat.completion";
    /** @description The answer, as the only choice; none in the chunk with the tokens */
    choices: CompletionChoice[];
    /** @description Token usage; null when no model was called */
    usage: CompletionUsage;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface CompletionChoice {
    /** @description Place of the choice */
    index: number;
    /** @description Description, human-readable */
    message: CompletionMessage;
    /** @description `stop`: the run completed; `length` or `content_filter`: its answer was cut off or filtered; null before */
    finish_reason: string;
}
export interface CompletionMessage {
    /** @description Author of the message */
    role: string;
    /** @description The text */
    content: string;
}
export interface OpenAiResponse {
    /** @description Unique id */
    id: string;
    /**
     * @description Kind of the object
     * @constant
     */
    object: "response";
    /** @description Time of the start, in Unix seconds */
    created_at: number;
    /** @description Time of the end, in Unix seconds; null unless the run completed */
    completed_at: number | null;
    /**
     * @description Current status
     * @enum {string}
     */
    status: "in_progress" | "completed" | "failed" | "cancelled" | "incomplete";
    /** @description Whether the request was answered before the end of the run */
    background: boolean;
    /** @description Reason of the failure; null without one */
    error: OpenAiResponseError;
    /** @description Which person the run waits for; null when it waits for none */
    incomplete_details: OpenAiResponseIncomplete;
    /** @description Description of texts that are findings */
    instructions: string | null;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /** @description The output; null when there is none, or when it is too large to include */
    output: JsonObject[];
    /** @description The response whose thread this one goes on with; null without one */
    previous_response_id: string | null;
    /** @description Whether the response can be retrieved later */
    store: boolean;
    /** @description Token usage; null when no model was called */
    usage: JsonObject | null;
    /** @description Name, description, version and tags of the workflow */
    metadata: JsonObject;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export type OpenAiResponseError = {
    /** @description Stable code for programs */
    code: string;
    /** @description Description, human-readable */
    message: string;
} | null;
export type OpenAiResponseIncomplete = {
    /** @description `input_required`: the run asks a person */
    reason: string;
    /** @description Description, human-readable */
    message: string;
} | null;
export interface DeletedResponse {
    /** @description Id of the response */
    id: string;
    /**
     * @description Kind of the object
     * @constant
     */
    object: "response";
    /**
     * @description Whether it was deleted
     * @constant
     */
    deleted: true;
}
export interface ResponseInputList {
    /**
     * @description Kind of the object
     * @constant
     */
    object: "list";
    /** @description The messages, as items */
    data: JsonObject[];
    /** @description Id of the first item of the page; null: it is empty */
    first_id: string | null;
    /** @description Id of the last item of the page; null: it is empty */
    last_id: string | null;
    /** @description Whether there is another page, after `last_id` */
    has_more: boolean;
}
export interface JsonRpcError {
    /**
     * @description Version of JSON-RPC
     * @constant
     */
    jsonrpc: "2.0";
    /** @description Id of the request; null when it could not be read */
    id?: string | number | null;
    /** @description Reason of the failure; null without one */
    error: JsonRpcErrorFields;
}
export interface JsonRpcErrorFields {
    /** @description Code of JSON-RPC */
    code: number;
    /** @description Description, human-readable */
    message: string;
}
export interface ProtectedResource {
    /** @description Address of the MCP server */
    resource: string;
    /** @description Issuers of the tokens that it takes; none: API keys alone */
    authorization_servers: string[];
    /** @description Where it takes tokens */
    bearer_methods_supported: string[];
    /** @description Name of the server, for people */
    resource_name: string;
}
export interface SupportRequest {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /** @description Subject of the request */
    subject: string;
    /** @description Text of the request */
    message: string;
    /** @description Status of the request */
    status: string;
    /** @description The organization of the request; null: none */
    organization_id: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
}
export interface KnowledgeBase {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the organization that owns it
     */
    organization_id: string;
    /** @description Id of the user who created it; null after the user was deleted */
    created_by_user_id: string | null;
    /** @description Id of the credential; null: the managed account */
    credential_id: string | null;
    /** @description Display name */
    name: string;
    /** @description Short description; null or empty: none */
    description: string;
    /** @description The embedding model; null: the managed one */
    embedding_config: EmbeddingConfig;
    /** @description How documents are split into chunks; null: the defaults */
    chunking_config: ChunkingConfig;
    /** @description Number of documents */
    document_count: number;
    /** @description Total number of chunks */
    total_chunks: number;
    /** @description Total number of tokens */
    total_tokens: number;
    /**
     * @description `indexing` while a document is indexed
     * @enum {string}
     */
    status: "active" | "indexing";
    /** @description Statistics of the knowledge base */
    stats: KnowledgeBaseStats;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded */
    warnings?: BodyWarning[];
}
export interface EmbeddingConfig {
    /** @description Name of the model provider */
    provider: string;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /** @description Number of dimensions of the embeddings; null: the model's default */
    dimensions: number | null;
    /**
     * Format: uuid
     * @description Id of the credential with the organization's own account; absent: the managed account
     */
    credential_id?: string;
}
export interface ChunkingConfig {
    /** @description Chunking strategy: full chunks that end at the best boundary in their second half */
    strategy: string;
    /** @description Maximum number of tokens in a chunk */
    chunk_size: number;
    /** @description Number of tokens that a chunk shares with the previous one */
    chunk_overlap: number;
    /** @description Unit of the sizes */
    unit: string;
}
export interface KnowledgeBaseStats {
    /** @description Number of documents in each status */
    documents_by_status: {
        [key: string]: number;
    };
    /** @description Time at which a document was last indexed, ISO 8601 UTC; null: never */
    last_indexed_at: string | null;
    /** @description Size of the documents, in bytes */
    storage_bytes: number;
    /** @description Number of searches in the last 30 days */
    searches_30d: number;
}
export interface KnowledgeBasePage {
    /** @description The knowledge bases of this page */
    knowledge_bases: KnowledgeBase[];
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
}
export interface KnowledgeSearchResult {
    /** @description The search text in natural language */
    query: string;
    /**
     * Format: uuid
     * @description Id of the knowledge base
     */
    knowledge_base_id: string;
    /** @description Maximum number of matches */
    top_k: number;
    /** @description Number of matches */
    total_matches: number;
    /** @description The matches, best first */
    matches: KnowledgeMatch[];
}
export interface KnowledgeMatch {
    /**
     * Format: uuid
     * @description Id of the chunk
     */
    chunk_id: string;
    /**
     * Format: uuid
     * @description Id of the document
     */
    document_id: string;
    /** @description Name of the document */
    document_name: string;
    /**
     * Format: uuid
     * @description Id of the knowledge base
     */
    knowledge_base_id: string;
    /** @description Index of the chunk in its document, from 0 */
    chunk_index: number;
    /** @description Similarity: 1 minus the cosine distance, from 0 to 1 */
    score: number;
    /** @description The text */
    content?: string;
    /** @description Free-form metadata of the chunk */
    chunk_metadata?: JsonObject;
    /** @description Free-form metadata of the document, for filters of searches */
    doc_metadata?: JsonObject;
    /** @description URL of the document; null: it was uploaded */
    source_url: string | null;
    /** @description Number of tokens */
    token_count: number;
}
export interface KnowledgeDocument {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the knowledge base
     */
    knowledge_base_id: string;
    /** @description Display name */
    name: string;
    /**
     * @description Source of the document
     * @constant
     */
    source_type: "upload";
    /** @description Media type of the file */
    mime_type: string;
    /** @description Size of the file, in bytes */
    size_bytes: number;
    /** @description SHA-256 of the file; files with the same content are the same document */
    content_hash: string;
    /**
     * @description Status of the indexing
     * @enum {string}
     */
    status: "pending" | "processing" | "completed" | "failed";
    /** @description Current stage of the indexing; null when there is none */
    stage: ("parsing" | "embedding") | null;
    /** @description Progress of the indexing */
    progress: DocumentProgress;
    /** @description Reason of the failure; null without one */
    error: DocumentError | null;
    /** @description Number of chunks */
    chunk_count: number;
    /** @description Number of tokens */
    token_count: number;
    /** @description Free-form metadata of the document, for filters of searches */
    doc_metadata: JsonObject;
    /** @description Number of attempts to index the document */
    attempts: number;
    /** @description Id of the user who created it; null when no user did, or after the user was deleted */
    created_by: string | null;
    /**
     * Format: date-time
     * @description Time of creation, ISO 8601 UTC
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, ISO 8601 UTC
     */
    updated_at: string;
    /** @description Time of the end, ISO 8601 UTC; null until then */
    completed_at: string | null;
    /**
     * Format: date-time
     * @description When a new version, a document of the same name, replaced it in searches; absent while it is the current one
     */
    replaced_at?: string;
}
export interface DocumentProgress {
    /** @description Number of chunks with an embedding */
    chunks_done: number;
    /** @description Number of chunks; null until the document is split */
    chunks_total: number | null;
}
export interface DocumentError {
    /** @description Stable code for programs */
    code: string;
    /** @description Description, human-readable */
    message: string;
}
export interface KnowledgeDocumentPage {
    /** @description The documents of this page */
    documents: KnowledgeDocument[];
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
}
export interface KnowledgeChunkList {
    /** @description The chunks of this page, in the order of the document */
    chunks: KnowledgeChunk[];
    /** @description Whether there is another page, at `next_cursor`, or at `offset` + `limit` */
    has_more: boolean;
    /** @description Maximum number of items on a page */
    limit: number;
    /** @description Number of skipped items before this page */
    offset: number;
    /** @description Value of `cursor` for the next page; null on the last page */
    next_cursor: string | null;
    /** @description Value of `cursor` for the page before this one; null on the first page */
    previous_cursor: string | null;
}
export interface KnowledgeChunk {
    /**
     * Format: uuid
     * @description Unique id
     */
    id: string;
    /**
     * Format: uuid
     * @description Id of the document
     */
    document_id: string;
    /** @description Index of the chunk in its document, from 0 */
    chunk_index: number;
    /** @description The text */
    content: string;
    /** @description Number of tokens */
    token_count: number;
    /** @description Free-form metadata of the chunk */
    chunk_metadata: JsonObject;
}
/**
 * @description Shape A: the error as text
 * @example {
 *       "detail": "Workflow not found"
 *     }
 */
export interface DetailError {
    /** @description Description of the error */
    detail: string;
}
/**
 * @description Shape B: the error as an object
 * @example {
 *       "detail": {
 *         "code": "rate_limited",
 *         "layer": "rate",
 *         "key": "api",
 *         "current": 60,
 *         "limit": 60,
 *         "reason": "rate_limit_exceeded"
 *       }
 *     }
 */
export interface StructuredError {
    /** @description The error as an object with `code`, `reason`, or fields of the endpoint */
    detail: JsonObject;
}
/**
 * @description Shape C: each validation error and its location
 * @example {
 *       "detail": [
 *         {
 *           "loc": [
 *             "body",
 *             "name"
 *           ],
 *           "msg": "Field required",
 *           "type": "missing"
 *         }
 *       ]
 *     }
 */
export interface ValidationError {
    /** @description One entry for each validation error */
    detail: {
        /** @description Location in the request: `body`, `query` or `path`, then keys and indexes */
        loc: (string | number)[];
        /** @description Description of the error, human-readable */
        msg: string;
        /** @description Stable code of the error, such as `missing` */
        type: string;
    }[];
}
/**
 * @description Shape D: a denial of the billing gate, before anything is written
 * @example {
 *       "code": "credit_plan_exhausted",
 *       "layer": "credit",
 *       "key": "monthly_credits",
 *       "current": 500,
 *       "limit": 500,
 *       "reason": "credit_plan_exhausted"
 *     }
 */
export interface Denial {
    /**
     * @description The limit that was reached; it determines the meaning of the other fields
     * @enum {string}
     */
    code: "rate_limit_exceeded" | "quota_exceeded" | "credit_plan_exhausted" | "wallet_overage_disabled" | "wallet_insufficient" | "upgrade_payment_failed";
    /**
     * @description The layer that denies; it determines the status: rate 429, quota 403, credit and wallet 402
     * @enum {string}
     */
    layer: "rate" | "quota" | "credit" | "wallet";
    /** @description Name of the limit, such as `sync_exec`; null when there is none */
    key: string | null;
    /** @description Current usage of the limit; null: unknown */
    current: number | null;
    /** @description The limit; null: unknown */
    limit: number | null;
    /** @description Reason, often the same as `code`; null: none */
    reason: string | null;
}
export interface JsonRpcMessage {
    /**
     * @description Version of JSON-RPC
     * @constant
     */
    jsonrpc: "2.0";
    /** @description Id of the request that the message answers; null: none */
    id?: string | number | null;
    /** @description Name of the request or notification; missing in an answer */
    method?: string;
}
export type RunEvent = RunStartedFrame | NodeStartedFrame | NodeCompletedFrame | NodeFailedFrame | NodeRetryFrame | NodeSkippedFrame | NodeReusedFrame | StateUpdatedFrame | TokenFrame | TokenResetFrame | ProgressFrame | ToolCallFrame | InterruptFrame | InterruptResolvedFrame | RunCompletedFrame | RunFailedFrame | RunCancelledFrame | RunInterruptedFrame | PausedFrame | HeartbeatFrame | SnapshotFrame | StreamErrorFrame;
export interface ChatCompletionChunk {
    /** @description Unique id */
    id: string;
    /** @description Time of creation, in Unix seconds */
    created: number;
    /** @description Name of the model, in the provider's spelling */
    model: string;
    /**
     * @description Kind of the object
     * @constant
     */
    object: "chat.completion.chunk";
    /** @description The answer, as the only choice; none in the chunk with the tokens */
    choices: CompletionChunkChoice[];
    /** @description Token usage; null when no model was called */
    usage?: CompletionUsage | null;
}
export interface OpenAiResponseEvent {
    /** @description Discriminator of the alternatives */
    type: string;
    /** @description Place of the event in the stream, from 0 */
    sequence_number: number;
    /** @description The answer; null before */
    response?: Json;
    /** @description The next part of the text */
    delta?: string;
}
export interface HttpAgentTool {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "http";
    /**
     * @description `GET` by default
     * @enum {string}
     */
    method?: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** @description URL with templates in its path and query; each value is encoded as one component */
    url: string;
    /** @description Request headers by name; values may be templates */
    headers?: {
        [key: string]: Json;
    } | null;
    /** @description Query parameters by name; values may be templates */
    query?: {
        [key: string]: Json;
    } | null;
    /** @description Request body, encoded by the `content-type` header: JSON, JSON lines, form, multipart, XML or text. Without the header an object is sent as JSON; null: none */
    body?: Json | null;
    /** @description Id of the credential to send with the request; null: none */
    credential_id?: string | null;
    /** @description Range of statuses that count as failures; null: 400 to 599 */
    fail_on_status?: number[] | null;
    /** @description For POST and PATCH: whether the request may be repeated when its outcome is unknown; null: no */
    effect?: ("at_least_once" | "at_most_once") | null;
    /** @description The server deduplicates requests by `Idempotency-Key`, so the request may be repeated */
    idempotent?: boolean | null;
    /** @description Answers that fail the node, whatever their status; null: none */
    fail_when?: {
        /**
         * @description Whether all rules must hold, or any
         * @default all
         * @enum {string}
         */
        match?: "all" | "any";
        /** @description Rules over `{{response}}`, which has `status`, `headers` and `data` */
        rules: (RuleGroup | Rule)[];
        /** @description Code of the error, or a template of it; null: `service_error` */
        code?: string | null;
        /** @description Message of the error; may be a template, such as `{{response.data.error}}` */
        message?: string | null;
    } | null;
    /** @description Answers after which the request may be sent again, because the service has done nothing; null: by status */
    retry_when?: Rules | null;
    /** @description Seconds before the next attempt, such as `{{response.data.retry_after}}`, in place of `Retry-After`; null: as the service asks */
    retry_after?: (number | string) | null;
    /** @description Name of the tool for the model; null: the name of the tool itself, if it has one */
    name?: string | null;
    /** @description Description of the tool for the model; null: that of the tool itself */
    description?: string | null;
    /** @description JSON Schema of the arguments; null: that of the tool itself */
    input_schema?: {
        [key: string]: Json;
    } | null;
    /** @description Fixed arguments, hidden from the model */
    parameters?: {
        [key: string]: Json;
    } | null;
    /**
     * @description `auto`: the model may call it; `force`: the model must call it once; `none`: it is not offered
     * @default auto
     * @enum {string}
     */
    usage?: "auto" | "force" | "none";
    /** @description Whether each call needs approval; null: never */
    approval?: ("never" | "always") | null;
    /** @description Seconds until a call without an answer counts as rejected; null: no timeout */
    approval_timeout_seconds?: number | null;
    /** @description Who may answer; null or empty: any member of the organization */
    approval_assignees?: {
        /**
         * @description Roles in the organization, any of which is sufficient
         * @default []
         */
        roles?: string[];
        /**
         * @description Ids of users, any of whom is sufficient
         * @default []
         */
        user_ids?: string[];
    } | null;
}
export interface IntegrationAgentTool {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "integration";
    /** @description Name of the integration in the catalog */
    integration: string;
    /** @description Version of the integration that the config was created with; null: any */
    integration_version?: string | null;
    /** @description Name of the action in the catalog */
    action: string;
    /** @description Id of the credential with the account to use; null: none */
    credential_id?: string | null;
    /** @description Fixed arguments, hidden from the model */
    parameters?: {
        [key: string]: Json;
    } | null;
    /** @description Answers that fail the node, whatever their status; null: none */
    fail_when?: {
        /**
         * @description Whether all rules must hold, or any
         * @default all
         * @enum {string}
         */
        match?: "all" | "any";
        /** @description Rules over `{{response}}`, which has `status`, `headers` and `data` */
        rules: (RuleGroup | Rule)[];
        /** @description Code of the error, or a template of it; null: `service_error` */
        code?: string | null;
        /** @description Message of the error; may be a template, such as `{{response.data.error}}` */
        message?: string | null;
    } | null;
    /** @description Answers after which the request may be sent again, because the service has done nothing; null: by status */
    retry_when?: Rules | null;
    /** @description Seconds before the next attempt, such as `{{response.data.retry_after}}`, in place of `Retry-After`; null: as the service asks */
    retry_after?: (number | string) | null;
    /** @description Name of the tool for the model; null: the name of the tool itself, if it has one */
    name?: string | null;
    /** @description Description of the tool for the model; null: that of the tool itself */
    description?: string | null;
    /** @description JSON Schema of the arguments; null: that of the tool itself */
    input_schema?: {
        [key: string]: Json;
    } | null;
    /**
     * @description `auto`: the model may call it; `force`: the model must call it once; `none`: it is not offered
     * @default auto
     * @enum {string}
     */
    usage?: "auto" | "force" | "none";
    /** @description Whether each call needs approval; null: never */
    approval?: ("never" | "always") | null;
    /** @description Seconds until a call without an answer counts as rejected; null: no timeout */
    approval_timeout_seconds?: number | null;
    /** @description Who may answer; null or empty: any member of the organization */
    approval_assignees?: {
        /**
         * @description Roles in the organization, any of which is sufficient
         * @default []
         */
        roles?: string[];
        /**
         * @description Ids of users, any of whom is sufficient
         * @default []
         */
        user_ids?: string[];
    } | null;
}
export interface McpAgentTool {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "mcp";
    /** @description URL of the MCP server; null: that of the credential's account */
    server_url?: string | null;
    /** @description Name of the tool of the server */
    tool: string;
    /** @description Arguments of the tool by name; values may be templates */
    arguments?: {
        [key: string]: Json;
    } | null;
    /** @description Id of the credential with the account to use; null: none */
    credential_id?: string | null;
    /** @description SHA-256 of the server's definition of the tool, in hex: the call fails after a change; null: not checked */
    fingerprint?: string | null;
    /** @description Name of the tool for the model; null: the name of the tool itself, if it has one */
    name?: string | null;
    /** @description Description of the tool for the model; null: that of the tool itself */
    description?: string | null;
    /** @description JSON Schema of the arguments; null: that of the tool itself */
    input_schema?: {
        [key: string]: Json;
    } | null;
    /** @description Fixed arguments, hidden from the model */
    parameters?: {
        [key: string]: Json;
    } | null;
    /**
     * @description `auto`: the model may call it; `force`: the model must call it once; `none`: it is not offered
     * @default auto
     * @enum {string}
     */
    usage?: "auto" | "force" | "none";
    /** @description Whether each call needs approval; null: never */
    approval?: ("never" | "always") | null;
    /** @description Seconds until a call without an answer counts as rejected; null: no timeout */
    approval_timeout_seconds?: number | null;
    /** @description Who may answer; null or empty: any member of the organization */
    approval_assignees?: {
        /**
         * @description Roles in the organization, any of which is sufficient
         * @default []
         */
        roles?: string[];
        /**
         * @description Ids of users, any of whom is sufficient
         * @default []
         */
        user_ids?: string[];
    } | null;
}
export interface WorkflowAgentTool {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "workflow";
    /**
     * Format: uuid
     * @description Id of the workflow to run as a sub-workflow
     */
    workflow_id: string;
    /**
     * @description `live`, the version of a deployment, or its id
     * @default live
     */
    deployment?: string;
    /** @description Input of the sub-workflow; values may be templates */
    input?: Json | null;
    /**
     * @description Whether the node waits for the sub-workflow, for at most a day
     * @default true
     */
    wait?: boolean;
    /** @description Name of the tool for the model; null: the name of the tool itself, if it has one */
    name?: string | null;
    /** @description Description of the tool for the model; null: that of the tool itself */
    description?: string | null;
    /** @description JSON Schema of the arguments; null: that of the tool itself */
    input_schema?: {
        [key: string]: Json;
    } | null;
    /** @description Fixed arguments, hidden from the model */
    parameters?: {
        [key: string]: Json;
    } | null;
    /**
     * @description `auto`: the model may call it; `force`: the model must call it once; `none`: it is not offered
     * @default auto
     * @enum {string}
     */
    usage?: "auto" | "force" | "none";
    /** @description Whether each call needs approval; null: never */
    approval?: ("never" | "always") | null;
    /** @description Seconds until a call without an answer counts as rejected; null: no timeout */
    approval_timeout_seconds?: number | null;
    /** @description Who may answer; null or empty: any member of the organization */
    approval_assignees?: {
        /**
         * @description Roles in the organization, any of which is sufficient
         * @default []
         */
        roles?: string[];
        /**
         * @description Ids of users, any of whom is sufficient
         * @default []
         */
        user_ids?: string[];
    } | null;
}
export interface KnowledgeAgentTool {
    /**
     * @description Discriminator of the alternatives
     * @enum {string}
     */
    kind: "knowledge";
    /** @description Ids of the knowledge bases to search */
    knowledge_base_ids: string[];
    /**
     * @description Maximum number of matches
     * @default 5
     */
    top_k?: number;
    /**
     * @description Minimum score of a match
     * @default 0
     */
    min_score?: number;
    /** @description Conditions on doc_metadata and chunk_metadata; null: none */
    filters?: {
        [key: string]: Json;
    } | null;
    /**
     * @description `vector`: search by meaning
     * @default vector
     * @constant
     */
    search_mode?: "vector";
    /**
     * @description Whether matches include their text
     * @default true
     */
    include_content?: boolean;
    /**
     * @description Whether matches include their metadata
     * @default true
     */
    include_metadata?: boolean;
    /** @description Name of the tool for the model; null: the name of the tool itself, if it has one */
    name?: string | null;
    /** @description Description of the tool for the model; null: that of the tool itself */
    description?: string | null;
    /** @description JSON Schema of the arguments; null: that of the tool itself */
    input_schema?: {
        [key: string]: Json;
    } | null;
    /** @description Fixed arguments, hidden from the model */
    parameters?: {
        [key: string]: Json;
    } | null;
    /**
     * @description `auto`: the model may call it; `force`: the model must call it once; `none`: it is not offered
     * @default auto
     * @enum {string}
     */
    usage?: "auto" | "force" | "none";
    /** @description Whether each call needs approval; null: never */
    approval?: ("never" | "always") | null;
    /** @description Seconds until a call without an answer counts as rejected; null: no timeout */
    approval_timeout_seconds?: number | null;
    /** @description Who may answer; null or empty: any member of the organization */
    approval_assignees?: {
        /**
         * @description Roles in the organization, any of which is sufficient
         * @default []
         */
        roles?: string[];
        /**
         * @description Ids of users, any of whom is sufficient
         * @default []
         */
        user_ids?: string[];
    } | null;
}
/**
 * @deprecated
 * @description Former name of RunEvent
 */
export type Frame = RunEvent;
/**
 * @deprecated
 * @description Former name of KnowledgeAgentTool
 */
export type KnowledgeToolConfig = KnowledgeAgentTool;
/**
 * @deprecated
 * @description Former name of CreateAlert
 */
export type NewAlert = CreateAlert;
/**
 * @deprecated
 * @description Former name of CreateApiKey
 */
export type NewApiKey = CreateApiKey;
/**
 * @deprecated
 * @description Former name of CreateAuthorization
 */
export type NewAuthorization = CreateAuthorization;
/**
 * @deprecated
 * @description Former name of CreateChatCompletion
 */
export type NewChatCompletion = CreateChatCompletion;
/**
 * @deprecated
 * @description Former name of CreateCredential
 */
export type NewCredential = CreateCredential;
/**
 * @deprecated
 * @description Former name of CreateEmbeddingConfig
 */
export type NewEmbeddingConfig = CreateEmbeddingConfig;
/**
 * @deprecated
 * @description Former name of CreateHook
 */
export type NewHook = CreateHook;
/**
 * @deprecated
 * @description Former name of CreateInvitation
 */
export type NewInvitation = CreateInvitation;
/**
 * @deprecated
 * @description Former name of CreateKnowledgeBase
 */
export type NewKnowledgeBase = CreateKnowledgeBase;
/**
 * @deprecated
 * @description Former name of CreateNotificationEndpoint
 */
export type NewNotificationEndpoint = CreateNotificationEndpoint;
/**
 * @deprecated
 * @description Former name of CreateOrganization
 */
export type NewOrganization = CreateOrganization;
/**
 * @deprecated
 * @description Former name of CreateResponse
 */
export type NewResponse = CreateResponse;
/**
 * @deprecated
 * @description Former name of CreateRun
 */
export type NewRun = CreateRun;
/**
 * @deprecated
 * @description Former name of CreateRunBatch
 */
export type NewRunBatch = CreateRunBatch;
/**
 * @deprecated
 * @description Former name of CreateSchedule
 */
export type NewSchedule = CreateSchedule;
/**
 * @deprecated
 * @description Former name of CreateSupportRequest
 */
export type NewSupportRequest = CreateSupportRequest;
/**
 * @deprecated
 * @description Former name of CreateTopup
 */
export type NewTopup = CreateTopup;
/**
 * @deprecated
 * @description Former name of CreateWorkflow
 */
export type NewWorkflow = CreateWorkflow;
/**
 * @deprecated
 * @description Former name of OpenAiResponse
 */
export type Response = OpenAiResponse;
/**
 * @deprecated
 * @description Former name of OpenAiResponseError
 */
export type ResponseError = OpenAiResponseError;
/**
 * @deprecated
 * @description Former name of OpenAiResponseEvent
 */
export type ResponseEvent = OpenAiResponseEvent;
/**
 * @deprecated
 * @description Former name of OpenAiResponseIncomplete
 */
export type ResponseIncomplete = OpenAiResponseIncomplete;
/** @description A draft with any content: of the service, or by `toDraft` */
export interface SavedDraft {
    readonly [savedByService]: true;
}
/** Paths whose POST does nothing more when it is sent again. */
export const REPEATABLE_POSTS: ReadonlySet<string> = new Set(["/workflows/cancel/{run_id}","/schedules/{schedule_id}/pause","/schedules/{schedule_id}/resume","/knowledge-bases/{knowledge_id}/documents"]);
