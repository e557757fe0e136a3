import type { Endpoint } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';

/*
 * The answers to a caller with all scopes who requests objects of another person: a private lens, its run,
 * an invite-only community, its token, member and invite, a connector. 404
 * has the message for an unknown object; 403 and 200 stand for public objects.
 */
const table = `
revokeToken       404
limitToken        404
getConnector      404
removeConnector   404
rotateConnector   404
getCommunity      200
updateCommunity   404
removeCommunity   404
joinCommunity     403
listMembers       404
setRole           404
removeMember      404
listInvites       404
createInvite      404
revokeInvite      404
getLens           404
updateLens        404
deleteLens        404
publishLens       404
archiveLens       404
restoreLens       404
forkLens          404
listLensVersions  404
getLensVersion    404
diffLensVersions  404
exportLens        404
setLensLabel      404
removeLensLabel   404
executeLens       404
executeLensBatch  404
runWorkflow           404
getWorkflow           404
updateWorkflow        404
deleteWorkflow        404
saveWorkflowGraph     404
listWorkflowVersions  404
getWorkflowVersion    404
diffWorkflowVersions  404
dryRunWorkflow        404
exportWorkflow        404
listWorkflowRuns      404
listSchedules         404
createSchedule        404
getSchedule           404
updateSchedule        404
deleteSchedule        404
previewSchedule       404
listScheduleTicks     404
getRun            404
cancelRun         404
streamRunEvents   404
retryRun          404
reportRun         404
listRunArtifacts  404
getRunArtifact    404
getRunArtifactContent 404
createRunReadToken 404
listRunNodes      404
listRunApprovals  404
answerRunApproval 404
createWaitUrl     404
answerWait        404
getRunOperation   404
cancelRunOperation 404
getSponsorship    404
setSponsorship    404
getByokKey        404
testByokKey       404
rotateByokKey     404
revokeByokKey     404
reportLocalRun    404
finishLocalRun    404
getIncomingWebhook    404
updateIncomingWebhook 404
removeIncomingWebhook 404
rotateIncomingWebhook 404
listIncomingCalls     404
callIncomingWebhook   401
getWebhookEndpoint 404
updateWebhookEndpoint 404
deleteWebhookEndpoint 404
rotateWebhookSecret 404
enableWebhookEndpoint 404
disableWebhookEndpoint 404
testWebhookEndpoint 404
listWebhookDeliveries 404
getWebhookDelivery 404
redeliverWebhook 404
listWebhookReplays 404
replayWebhookEvents 404
getWebhookReplay 404
`;
/** The statuses by the id of the endpoint. */
export const foreignObjectStatuses: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/) as [string, string]),
);

/** The endpoints with an id in their path. */
export const withIds = Object.values<Endpoint>(endpoints).filter(
  ({ params, path }) => params !== undefined && !path.startsWith('/v1/partners/'),
);
