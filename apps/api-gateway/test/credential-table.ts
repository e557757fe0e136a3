/*
 * The status of each endpoint for each kind of credential. The ids in the paths are unknown, and bodies are empty: 401 and
 * 403 come from authentication, other statuses from the endpoint (200 success, 400 an empty body, 404 an unknown id).
 * `wrong scope` is a developer token with all scopes but the accepted ones.
 */
const table = `
                  none malformed expired revoked wrong-scope anonymous session developer organisation service mcp service_role
health            200  200       200     200     200         200       200     200       200          200     200 200
getApiDescription 401  401       401     401     200         200       200     200       200          200     401 401
getMe             401  401       401     401     200         200       200     200       200          200     401 401
updateMe          401  401       401     401     403         403       400     400       403          403     401 401
exportMe          401  401       401     401     403         403       200     403       403          403     401 401
closeMe           401  401       401     401     403         403       400     403       403          403     401 401
getOperatorStatus 401  401       401     401     403         403       403     403       403          403     401 401
setOperatorQueue  401  401       401     401     403         403       400     403       403          403     401 401
requeueOperatorRuns 401 401      401     401     403         403       403     403       403          403     401 401
listTokens        401  401       401     401     403         403       200     200       200          200     401 401
createToken       401  401       401     401     403         403       400     400       400          400     401 401
limitToken        401  401       401     401     403         403       400     403       403          403     401 401
revokeTokens      401  401       401     401     403         403       400     400       400          400     401 401
revokeToken       401  401       401     401     403         403       404     404       404          404     401 401
listConnectors    401  401       401     401     403         403       200     200       200          200     401 401
createConnector   401  401       401     401     403         403       400     400       400          400     401 401
getConnector      401  401       401     401     403         403       404     404       404          404     401 401
removeConnector   401  401       401     401     403         403       404     404       404          404     401 401
rotateConnector   401  401       401     401     403         403       404     404       404          404     401 401
listCommunities   401  401       401     401     403         403       200     200       200          200     401 401
createCommunity   401  401       401     401     403         403       400     403       403          403     401 401
getCommunity      401  401       401     401     403         404       404     404       404          404     401 401
updateCommunity   401  401       401     401     403         403       404     404       404          404     401 401
removeCommunity   401  401       401     401     403         403       404     403       403          403     401 401
joinCommunity     401  401       401     401     403         403       404     404       403          403     401 401
listMembers       401  401       401     401     403         403       404     404       404          404     401 401
setRole           401  401       401     401     403         403       400     400       400          400     401 401
removeMember      401  401       401     401     403         403       404     404       404          404     401 401
listInvites       401  401       401     401     403         403       404     404       404          404     401 401
createInvite      401  401       401     401     403         403       404     404       404          404     401 401
revokeInvite      401  401       401     401     403         403       404     404       404          404     401 401
listAiLensers     401  401       401     401     403         200       200     200       200          200     401 401
createAiLenser    401  401       401     401     403         403       400     400       400          400     401 401
getAiLenser       401  401       401     401     403         404       404     404       404          404     401 401
updateAiLenser    401  401       401     401     403         403       404     404       404          404     401 401
archiveAiLenser   401  401       401     401     403         403       404     404       404          404     401 401
listAgentTools    401  401       401     401     403         403       404     404       404          404     401 401
assignAgentTool   401  401       401     401     403         403       400     400       400          400     401 401
revokeAgentTool   401  401       401     401     403         403       404     404       404          404     401 401
runAgentAction    401  401       401     401     403         403       400     400       400          400     401 401
listAgentApprovals 401 401       401     401     403         403       404     404       404          404     401 401
decideAgentApproval 401 401      401     401     403         403       400     400       400          400     401 401
listTeamRuns      401  401       401     401     403         403       404     404       404          404     401 401
startTeamRun      401  401       401     401     403         403       400     400       400          400     401 401
getTeamRun        401  401       401     401     403         403       404     404       404          404     401 401
approveTeamRun    401  401       401     401     403         403       404     404       404          404     401 401
cancelTeamRun     401  401       401     401     403         403       404     404       404          404     401 401
streamAgentEvents 401  401       401     401     403         403       404     404       404          404     401 401
listAudit         401  401       401     401     403         403       200     200       403          403     401 401
listBattles       401  401       401     401     403         200       200     200       200          200     401 401
createBattle      401  401       401     401     403         403       400     400       400          400     401 401
listBattleHistory 401  401       401     401     403         403       200     200       200          200     401 401
getNextBattle     401  401       401     401     403         403       404     404       404          404     401 401
getBattle         401  401       401     401     403         404       404     404       404          404     401 401
updateBattle      401  401       401     401     403         403       404     404       404          404     401 401
addContender      401  401       401     401     403         403       400     400       400          400     401 401
withdrawContender 401  401       401     401     403         403       404     404       404          404     401 401
submitEntry       401  401       401     401     403         403       400     400       400          400     401 401
executeBattle     401  401       401     401     403         403       404     404       404          404     401 401
setBattleStatus   401  401       401     401     403         403       400     400       400          400     401 401
castVote          401  401       401     401     403         403       404     404       404          404     401 401
streamBattleEvents 401 401       401     401     403         404       404     404       404          404     401 401
getBattleScore    401  401       401     401     403         404       404     404       404          404     401 401
listThreads       401  401       401     401     403         200       200     200       200          200     401 401
createThread      401  401       401     401     403         403       400     400       400          400     401 401
getThread         401  401       401     401     403         404       404     404       404          404     401 401
updateThread      401  401       401     401     403         403       404     404       404          404     401 401
streamThreadEvents 401  401       401     401     403         404       404     404       404          404     401 401
listMessages      401  401       401     401     403         404       404     404       404          404     401 401
postMessage       401  401       401     401     403         403       400     400       400          400     401 401
getMessage        401  401       401     401     403         404       404     404       404          404     401 401
editMessage       401  401       401     401     403         403       400     400       400          400     401 401
deleteMessage     401  401       401     401     403         403       404     404       404          404     401 401
hideMessage       401  401       401     401     403         403       404     404       404          404     401 401
listMutes         401  401       401     401     403         403       404     404       404          404     401 401
muteMember        401  401       401     401     403         403       404     404       404          404     401 401
unmuteMember      401  401       401     401     403         403       404     404       404          404     401 401
listLeaderboard   401  401       401     401     403         400       400     400       400          400     401 401
getLeaderboardFit 401  401       401     401     403         400       400     400       400          400     401 401
downloadVotes     401  401       401     401     403         400       400     400       400          400     401 401
listLenses        401  401       401     401     403         200       200     200       200          200     401 401
createLens        401  401       401     401     403         403       400     400       400          400     401 401
importLens        401  401       401     401     403         403       400     400       400          400     401 401
getLens           401  401       401     401     403         404       404     404       404          404     401 401
updateLens        401  401       401     401     403         403       404     404       404          404     401 401
deleteLens        401  401       401     401     403         403       404     404       404          404     401 401
publishLens       401  401       401     401     403         403       404     404       404          404     401 401
archiveLens       401  401       401     401     403         403       404     404       404          404     401 401
restoreLens       401  401       401     401     403         403       404     404       404          404     401 401
forkLens          401  401       401     401     403         403       404     404       404          404     401 401
listLensVersions  401  401       401     401     403         404       404     404       404          404     401 401
getLensVersion    401  401       401     401     403         404       404     404       404          404     401 401
diffLensVersions  401  401       401     401     403         400       400     400       400          400     401 401
exportLens        401  401       401     401     403         404       404     404       404          404     401 401
setLensLabel      401  401       401     401     403         403       400     400       400          400     401 401
removeLensLabel   401  401       401     401     403         403       404     404       404          404     401 401
executeLens       401  401       401     401     403         403       400     400       400          400     401 401
executeLensBatch  401  401       401     401     403         403       400     400       400          400     401 401
listModels        401  401       401     401     403         200       200     200       200          200     401 401
runWorkflow           401  401       401     401     403         403       400     400       400          400     401 401
listWorkflows         401  401       401     401     403         200       200     200       200          200     401 401
createWorkflow        401  401       401     401     403         403       400     400       400          400     401 401
importWorkflow        401  401       401     401     403         403       400     400       400          400     401 401
getWorkflow           401  401       401     401     403         404       404     404       404          404     401 401
updateWorkflow        401  401       401     401     403         403       404     404       404          404     401 401
deleteWorkflow        401  401       401     401     403         403       404     404       404          404     401 401
saveWorkflowGraph     401  401       401     401     403         403       400     400       400          400     401 401
listWorkflowVersions  401  401       401     401     403         404       404     404       404          404     401 401
getWorkflowVersion    401  401       401     401     403         404       404     404       404          404     401 401
diffWorkflowVersions  401  401       401     401     403         400       400     400       400          400     401 401
dryRunWorkflow        401  401       401     401     403         403       404     404       404          404     401 401
exportWorkflow        401  401       401     401     403         404       404     404       404          404     401 401
listWorkflowRuns      401  401       401     401     403         403       404     404       404          404     401 401
listSchedules         401  401       401     401     403         403       404     404       404          404     401 401
createSchedule        401  401       401     401     403         403       400     400       400          400     401 401
getSchedule           401  401       401     401     403         403       404     404       404          404     401 401
updateSchedule        401  401       401     401     403         403       404     404       404          404     401 401
deleteSchedule        401  401       401     401     403         403       404     404       404          404     401 401
previewSchedule       401  401       401     401     403         403       404     404       404          404     401 401
listScheduleTicks     401  401       401     401     403         403       404     404       404          404     401 401
listRuns          401  401       401     401     403         403       200     200       200          200     401 401
getRun            401  401       401     401     403         403       404     404       404          404     401 401
cancelRun         401  401       401     401     403         403       404     404       404          404     401 401
streamRunEvents   401  401       401     401     403         403       404     404       404          404     401 401
retryRun          401  401       401     401     403         403       404     404       404          404     401 401
reportRun         401  401       401     401     403         403       400     400       400          400     401 401
listRunArtifacts  401  401       401     401     403         403       404     404       404          404     401 401
getRunArtifact    401  401       401     401     403         403       404     404       404          404     401 401
getRunArtifactContent 401  401       401     401     403         403       404     404       404          404     401 401
createRunReadToken 401  401       401     401     403         403       404     404       404          404     401 401
streamGroupEvents 401  401       401     401     403         403       400     400       400          400     401 401
listRunNodes      401  401       401     401     403         403       404     404       404          404     401 401
listRunApprovals  401  401       401     401     403         403       404     404       404          404     401 401
answerRunApproval 401  401       401     401     403         403       400     400       400          400     401 401
createWaitUrl     401  401       401     401     403         403       404     404       404          404     401 401
answerWait        404  404       404     404     404         404       404     404       404          404     404 404
startRunOperation 401  401       401     401     403         403       400     400       400          400     401 401
getRunOperation   401  401       401     401     403         403       404     404       404          404     401 401
cancelRunOperation 401  401       401     401     403         403       404     404       404          404     401 401
getCredits        401  401       401     401     403         403       200     200       403          403     401 401
getSponsorship    401  401       401     401     403         403       404     404       404          404     401 401
setSponsorship    401  401       401     401     403         403       400     400       400          400     401 401
listMcpServers    401  401       401     401     403         403       200     200     403          403     401 401
createMcpServer   401  401       401     401     403         403       400     400     403          403     401 401
getMcpServer      401  401       401     401     403         403       404     404     403          403     401 401
updateMcpServer   401  401       401     401     403         403       400     400     403          403     401 401
deleteMcpServer   401  401       401     401     403         403       404     404     403          403     401 401
refreshMcpServer  401  401       401     401     403         403       404     404     403          403     401 401
authorizeMcpServer 401 401       401     401     403         403       400     400     403          403     401 401
finishMcpAuthorization 401 401   401     401     403         403       400     400     403          403     401 401
listMcpTools      401  401       401     401     403         403       404     404     403          403     401 401
listByokKeys      401  401       401     401     403         403       200     200       403          403     401 401
createByokKey     401  401       401     401     403         403       400     400       403          403     401 401
getByokKey        401  401       401     401     403         403       404     404       403          403     401 401
testByokKey       401  401       401     401     403         403       404     404       403          403     401 401
rotateByokKey     401  401       401     401     403         403       400     400       403          403     401 401
revokeByokKey     401  401       401     401     403         403       404     404       403          403     401 401
claimLocalRun     401  401       401     401     403         403       200     200       403          403     401 401
reportLocalRun    401  401       401     401     403         403       400     400       403          403     401 401
finishLocalRun    401  401       401     401     403         403       400     400       403          403     401 401
listIncomingWebhooks   401  401       401     401     403         403       200     200       200          200     401 401
createIncomingWebhook  401  401       401     401     403         403       400     400       400          400     401 401
getIncomingWebhook     401  401       401     401     403         403       404     404       404          404     401 401
updateIncomingWebhook  401  401       401     401     403         403       404     404       404          404     401 401
removeIncomingWebhook  401  401       401     401     403         403       404     404       404          404     401 401
rotateIncomingWebhook  401  401       401     401     403         403       404     404       404          404     401 401
listIncomingCalls      401  401       401     401     403         403       404     404       404          404     401 401
callIncomingWebhook    401  401       401     401     401         401       401     401       401          401     401 401
listWebhookEndpoints 401  401       401     401     403         403       200     200       200          200     401 401
createWebhookEndpoint 401  401       401     401     403         403       400     400       400          400     401 401
getWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
updateWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
deleteWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
rotateWebhookSecret 401  401       401     401     403         403       404     404       404          404     401 401
enableWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
disableWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
testWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
listWebhookDeliveries 401  401       401     401     403         403       404     404       404          404     401 401
getWebhookDelivery 401  401       401     401     403         403       404     404       404          404     401 401
redeliverWebhook 401  401       401     401     403         403       404     404       404          404     401 401
listWebhookReplays 401  401       401     401     403         403       404     404       404          404     401 401
replayWebhookEvents 401  401       401     401     403         403       400     400       400          400     401 401
getWebhookReplay 401  401       401     401     403         403       404     404       404          404     401 401
listWebhookEvents 401  401       401     401     403         403       200     200       200          200     401 401
provisionPartner       401  401       401     401     404         403       404     404       403          403     401 401
getPartnerBalance      401  401       401     401     404         403       404     404       403          403     401 401
refreshPartnerToken    401  401       401     401     400         403       400     400       403          403     401 401
sendPartnerClaim       401  401       401     401     400         403       400     400       403          403     401 401
`;

const [head = '', ...lines] = table.trim().split('\n');
/** The kinds of credential: the columns. */
export const kinds = head.trim().split(/ +/);
type Row = Readonly<Record<string, number>>;
/** The rows by the id of their endpoint. */
export const credentialRows: ReadonlyMap<string, Row> = new Map(
  lines.map((line): [string, Row] => {
    const [id = '', ...statuses] = line.trim().split(/ +/);
    return [id, Object.fromEntries(kinds.map((kind, at) => [kind, Number(statuses[at])]))];
  }),
);
