"""The methods of AsyncClient, by resource. Written by `npm run generate` from the endpoint table of libs/contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Mapping, Optional, cast

import httpx

from . import _async_parts as parts
from ._async_methods import AsyncMethods, AsyncTransport
from ._requests import Options, build_request, to_segment
from .errors import LensforgeError

if TYPE_CHECKING:
    from . import shapes
    from .events import AgentEvent, BattleEvent, ExperimentEvent, RunEvent, ThreadEvent


class AsyncServiceMethods(AsyncMethods):
    async def health(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.HealthReport:
        """Health check: ok while the service reaches its database. Needs no credential and is not counted. Returns 503 with the status degraded and a reason when the probe of the database fails or takes more than 1500 ms."""
        return await self._plain(build_request("GET", "/health", None, None, Options(timeout, max_retries, headers or {})))

    async def openapi(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Downloads the description of this API as an OpenAPI 3.1 document. Every kind of credential can call it, also an anonymous token. The document describes the version of the API that answers, and is sent without the envelope. Its ETag changes with the document, so a request with If-None-Match gets 304 while it is the same."""
        return await self._file(build_request("GET", "/v1/openapi.json", None, None, Options(timeout, max_retries, headers or {})))


class AsyncMeMethods(AsyncMethods):
    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Me:
        """Reads the account, the kind and the scopes of the credential. Every kind of credential can call it, without any scope. Use it to test a token: the reply names its kind, its scopes, its account and, for a token with a credit limit, its budget."""
        return await self._one(build_request("GET", "/v1/me", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        body: Optional[shapes.MePatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AccountSummary:
        """Changes how the account of a person is shown; any write scope is enough. Changes the display name and the description of the profile of the caller. Members that are absent stay as they are."""
        return await self._one(build_request("PATCH", "/v1/me", body, None, Options(timeout, max_retries, headers or {})))

    def export(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[shapes.ExportedObject]:
        """Downloads what the platform stores about the person, one JSON object a line. Sends application/x-ndjson: first the account, then its communities, lenses, workflows and runs, its entries in battles and threads, its keys and tokens without their secrets, its credit entries and its audit log. A line names the type of its object. Each part is read when it is sent, so that objects which change meanwhile are in the state of that moment."""
        return self._lines(build_request("GET", "/v1/me/export", None, None, Options(timeout, max_retries, headers or {})))

    async def close(
        self,
        body: shapes.AccountToClose,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ClosedAccount:
        """Closes the account of the person permanently. Deletes the email, the name, the handle, all ways to sign in, tokens, keys, webhooks, schedules, and the lenses, workflows and threads that no other account sees; within minutes also all runs. Public objects, messages, battles and votes stay under "Closed account", and credit entries and the audit log, since the law asks for them. Refused with 409 while a run has not ended, and for the last owner of a community."""
        return await self._one(build_request("POST", "/v1/me/close", body, None, Options(timeout, max_retries, headers or {})))

    def list_sessions(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.SessionItem]:
        """Lists the open sessions of the person, the newest first. A session is a sign-in: of a browser, or of a program such as the command line. Each has the address and the User-Agent that opened it."""
        return parts.start_list(lambda: self._page("GET", "/v1/me/sessions", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def end_other_sessions(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.EndedSessions:
        """Ends all sessions of the person but the one of the request. Their cookies, refresh tokens and access tokens are refused as soon as the reply arrives. Developer and MCP tokens stay."""
        return await self._one(build_request("DELETE", "/v1/me/sessions", None, None, Options(timeout, max_retries, headers or {})))

    async def end_session(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.EndedSessions:
        """Ends a session of the person. Its cookie, refresh tokens and access tokens are refused as soon as the reply arrives. It may be the session of the request. A repeated request has no further effect."""
        return await self._one(build_request("DELETE", f"/v1/me/sessions/{to_segment('session_id', session_id)}", None, None, Options(timeout, max_retries, headers or {})))


class AsyncTokensMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.TokenQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.TokenSummary]:
        """Lists tokens of the account and of the communities it administers, the newest first. Values of tokens are never shown again; the list has labels, scopes, times and budgets. kind and communityId filter it."""
        return parts.start_list(lambda: self._page("GET", "/v1/tokens", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewTokenRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.CreatedToken:
        """Creates an organisation token for a community; its value is shown only now. An owner or admin of the community can create the token, and so can a token of the community with tokens:write. It acts as the community, is valid for 30 to 365 days and cannot have more scopes than its creator."""
        return await self._one(build_request("POST", "/v1/tokens", body, None, Options(timeout, max_retries, headers or {})))

    async def revoke_all(
        self,
        query: shapes.TokensQuery,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RevokedTokens:
        """Revokes all tokens of a kind, of the account or of a community; sessions stay. Requests with these tokens are refused as soon as the reply arrives. Sessions of browsers and command lines stay open; the sign-in pages end those."""
        return await self._one(build_request("DELETE", "/v1/tokens", query, None, Options(timeout, max_retries, headers or {})))

    async def create_developer(
        self,
        body: shapes.NewDeveloperTokenRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.CreatedToken:
        """Creates a developer token for the person; its value is shown only now. Needs a session: no token can create another one of its kind. It acts for the person, is valid for 1 to 90 days and cannot have community:write or tokens:write. Programs on other machines get theirs by the device flow."""
        return await self._one(build_request("POST", "/v1/tokens/developer", body, None, Options(timeout, max_retries, headers or {})))

    async def limit(
        self,
        token_id: str,
        body: shapes.TokenLimitRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.TokenSummary:
        """Sets or removes the credit limit of a token. A limit is counted for each calendar month (UTC) or for all time, and includes the holds of runs that have not ended. null removes it."""
        return await self._one(build_request("PATCH", f"/v1/tokens/{to_segment('token_id', token_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def revoke(
        self,
        token_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.TokenSummary:
        """Revokes a token at once. Requests with the token are refused as soon as the reply arrives, at every gateway. A revoked token cannot be restored."""
        return await self._one(build_request("DELETE", f"/v1/tokens/{to_segment('token_id', token_id)}", None, None, Options(timeout, max_retries, headers or {})))


class AsyncConnectorsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.ConnectorQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Connector]:
        """Lists connectors of the account and of the communities it administers, the newest first. A connector is an external program with a service token of its own. communityId shows those of one community."""
        return parts.start_list(lambda: self._page("GET", "/v1/connectors", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewConnectorRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ConnectorWithToken:
        """Registers a connector; the value of its service token is shown this once. The service token is limited to the requested scopes, which cannot exceed those of the creator, and is valid for 90 to 365 days. Store its value: no request shows it again."""
        return await self._one(build_request("POST", "/v1/connectors", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        connector_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Connector:
        """Reads a connector. Shows the name, the scopes, the budget and the expiry of the service token, without its value."""
        return await self._one(build_request("GET", f"/v1/connectors/{to_segment('connector_id', connector_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        connector_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Connector:
        """Removes a connector; its service token stops working at once. The service token is refused as soon as the reply arrives. Runs that it has started continue."""
        return await self._one(build_request("DELETE", f"/v1/connectors/{to_segment('connector_id', connector_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def rotate(
        self,
        connector_id: str,
        body: Optional[shapes.RotateConnectorRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ConnectorWithToken:
        """Gives a connector a new service token; the old one stops working at once. The reply has the new value, which is shown only now. There is no overlap: store the new value in the program before its next request."""
        return await self._one(build_request("POST", f"/v1/connectors/{to_segment('connector_id', connector_id)}/rotate", body, None, Options(timeout, max_retries, headers or {})))


class AsyncBattlesMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.BattleListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.BattleSummary]:
        """Lists battles: published ones, and those that the caller created or takes part in, the newest first. Published battles are visible to every caller. Those in another status are listed for their creator and participants only."""
        return parts.start_list(lambda: self._page("GET", "/v1/battles", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewBattleRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Battle:
        """Creates a battle in draft. A draft is visible to its creator alone and can be changed until it is opened. A rubric or check that cannot be used is refused with its path."""
        return await self._one(build_request("POST", "/v1/battles", body, None, Options(timeout, max_retries, headers or {})))

    async def get_next(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Battle:
        """Reads the open vote that would say most, for a voter. Returns a battle in voting in which a vote of the caller would tell most about the leaderboard. 404 when there is none."""
        return await self._one(build_request("GET", "/v1/battles/next", None, None, Options(timeout, max_retries, headers or {})))

    def list_history(
        self,
        query: Optional[shapes.BattleHistoryQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.BattleSummary]:
        """Lists closed battles that a lenser created or took part in, the newest first. Lists closed, published and archived battles of the caller. For another lenserId only published battles are listed."""
        return parts.start_list(lambda: self._page("GET", "/v1/battles/history", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        battle_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Battle:
        """Reads a battle, with what the caller may know of its contenders. Before the battle is closed, the reply hides the authors of the answers and gives voters a ballot whose ids are valid for them alone. Everybody finds battles that are voting or published."""
        return await self._one(build_request("GET", f"/v1/battles/{to_segment('battle_id', battle_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        battle_id: str,
        body: Optional[shapes.BattlePatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Battle:
        """Changes a battle in draft. Only the creator can change a battle, and only in draft; later the request is refused with 409. Absent members stay as they are."""
        return await self._one(build_request("PATCH", f"/v1/battles/{to_segment('battle_id', battle_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def add_contender(
        self,
        battle_id: str,
        body: shapes.NewContenderRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Contender:
        """Adds a contender, in draft and open. In draft the creator enters any lenser; in open people also enter themselves and their own AI lensers. A taken slot and a full battle are refused with 409."""
        return await self._one(build_request("POST", f"/v1/battles/{to_segment('battle_id', battle_id)}/contenders", body, None, Options(timeout, max_retries, headers or {})))

    async def withdraw_contender(
        self,
        battle_id: str,
        contender_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Contender:
        """Withdraws a contender, in draft and open. The owner of the contender and the creator of the battle can do it. Its submission is deleted, and its slot is free again."""
        return await self._one(build_request("DELETE", f"/v1/battles/{to_segment('battle_id', battle_id)}/contenders/{to_segment('contender_id', contender_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def submit_entry(
        self,
        battle_id: str,
        body: shapes.NewSubmissionRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Submitted:
        """Submits or replaces the answer of a contender, while open or executing. The owner of the contender submits, for AI contenders also the creator. A later text replaces an earlier one; a text that was submitted by hand is never replaced by that of a run."""
        return await self._one(build_request("POST", f"/v1/battles/{to_segment('battle_id', battle_id)}/submissions", body, None, Options(timeout, max_retries, headers or {})))

    async def execute(
        self,
        battle_id: str,
        body: Optional[shapes.ExecuteBattleRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ExecutedBattle:
        """Starts the execution of an open battle, with a run for each AI contender without an answer. Starts one run for each AI contender without an answer, all together or none, paid by the creator. When the runs and the judging do not fit in the budget of the battle, nothing starts."""
        return await self._one(build_request("POST", f"/v1/battles/{to_segment('battle_id', battle_id)}/execute", body, None, Options(timeout, max_retries, headers or {})))

    async def set_status(
        self,
        battle_id: str,
        body: shapes.BattleStatusRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.BattleStatusReply:
        """Moves a battle to another status. Each status has one next status, and archived can follow each of them. closed and archived need confirm: true. warnings in the reply names what is unusual."""
        return await self._one(build_request("POST", f"/v1/battles/{to_segment('battle_id', battle_id)}/status", body, None, Options(timeout, max_retries, headers or {})))

    async def cast_vote(
        self,
        battle_id: str,
        body: Optional[shapes.VoteRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Vote:
        """Casts or replaces the vote of the caller, while voting. Use the ids of the ballot of getBattle. A second vote of the same account replaces the first. Contenders and their owners cannot vote."""
        return await self._one(build_request("POST", f"/v1/battles/{to_segment('battle_id', battle_id)}/votes", body, None, Options(timeout, max_retries, headers or {})))

    def events(
        self,
        battle_id: str,
        *,
        last_event_id: Optional[str] = None,
        max_reconnects: int = 10,
        idle_timeout: float = 45.0,
        on_reconnect: Optional[Callable[[LensforgeError], object]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[BattleEvent]:
        """Streams the events of a battle; resumes after Last-Event-ID. Sends one frame for each event in order, a comment every 15 seconds, and event: done when the battle has ended. No event tells which contender it concerns."""
        return self._events(f"/v1/battles/{to_segment('battle_id', battle_id)}/events", None, last_event_id, max_reconnects, idle_timeout, on_reconnect, headers)

    async def get_score(
        self,
        battle_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.BattleScore:
        """Reads votes and verdicts of a battle. Shows the progress and the verdicts of the judging, and the counts of votes. Until the battle is closed, they are hidden as in getBattle."""
        return await self._one(build_request("GET", f"/v1/battles/{to_segment('battle_id', battle_id)}/score", None, None, Options(timeout, max_retries, headers or {})))


class AsyncLeaderboardsMethods(AsyncMethods):
    def list(
        self,
        battle_type: str,
        query: Optional[shapes.LeaderboardQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.LeaderboardEntry]:
        """Lists the rated contenders of published battles, by component and rank. Ratings are computed from published battles of the type, either from votes or from verdicts of judges. Contenders that were never compared, also indirectly, are in separate components."""
        return parts.start_list(lambda: self._page("GET", f"/v1/leaderboards/{to_segment('battle_type', battle_type)}", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get_fit(
        self,
        battle_type: str,
        query: Optional[shapes.LeaderboardFitQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LeaderboardFit:
        """Reads how a leaderboard was computed, and how fragile its first place is. Describes the model of the ratings, its convergence, the number of comparisons, and how few votes would have to be left out to change the first place."""
        return await self._one(build_request("GET", f"/v1/leaderboards/{to_segment('battle_type', battle_type)}/fit", query, None, Options(timeout, max_retries, headers or {})))

    def download_votes(
        self,
        battle_type: str,
        query: Optional[shapes.LeaderboardFitQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[shapes.LoggedVote]:
        """Downloads the anonymous votes from which a leaderboard is computed, one JSON object a line. Sends application/x-ndjson: one anonymous comparison in each line, with which the leaderboard can be computed again. The lines name no voter."""
        return self._lines(build_request("GET", f"/v1/leaderboards/{to_segment('battle_type', battle_type)}/votes", query, None, Options(timeout, max_retries, headers or {})))


class AsyncCommunitiesMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Community]:
        """Lists the communities that the caller is a member of, the newest first. A community is an account with members, tokens and resources of its own. The list has the role of the caller in each."""
        return parts.start_list(lambda: self._page("GET", "/v1/communities", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewCommunityRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Community:
        """Creates a community that the caller owns. The caller becomes its owner. The handle is unique among all accounts; a taken one is refused with 409."""
        return await self._one(build_request("POST", "/v1/communities", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        community_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Community:
        """Reads a community; members get more details. Every caller sees the name, the description, the join policy and the number of members. Members also see their own role."""
        return await self._one(build_request("GET", f"/v1/communities/{to_segment('community_id', community_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        community_id: str,
        body: Optional[shapes.CommunityPatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Community:
        """Changes how a community is shown and joined. Owners and admins can change the name, the description and the join policy. Absent members stay as they are. The handle stays."""
        return await self._one(build_request("PATCH", f"/v1/communities/{to_segment('community_id', community_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        community_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Community:
        """Deletes a community; all its tokens stop working at once. Only an owner can delete it, with a session token. Its handle stays reserved."""
        return await self._one(build_request("DELETE", f"/v1/communities/{to_segment('community_id', community_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def join(
        self,
        community_id: str,
        body: Optional[shapes.JoinRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Member:
        """Joins an open community, or one that the caller was invited to. A community with the join policy invite needs the value of an invite. Members who join again keep their role and use no invite. Only people can join, with a session or developer token."""
        return await self._one(build_request("POST", f"/v1/communities/{to_segment('community_id', community_id)}/join", body, None, Options(timeout, max_retries, headers or {})))

    def list_members(
        self,
        community_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Member]:
        """Lists the members of a community, for its members. Each item has the account and its role. Callers who are no members get 404."""
        return parts.start_list(lambda: self._page("GET", f"/v1/communities/{to_segment('community_id', community_id)}/members", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def set_role(
        self,
        community_id: str,
        account_id: str,
        body: shapes.MemberPatch,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Member:
        """Changes the role of a member. Owners can set every role, admins the roles of moderators and members. A community keeps at least one owner; the change of the last one is refused with 409."""
        return await self._one(build_request("PATCH", f"/v1/communities/{to_segment('community_id', community_id)}/members/{to_segment('account_id', account_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove_member(
        self,
        community_id: str,
        account_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Member:
        """Removes a member; the caller leaves with their own account. Owners remove every member, admins moderators and members, and every member can leave. The last owner cannot leave: the request is refused with 409."""
        return await self._one(build_request("DELETE", f"/v1/communities/{to_segment('community_id', community_id)}/members/{to_segment('account_id', account_id)}", None, None, Options(timeout, max_retries, headers or {})))

    def list_invites(
        self,
        community_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Invite]:
        """Lists the invites of a community, the newest first. For owners and admins. Values of invites are not shown."""
        return parts.start_list(lambda: self._page("GET", f"/v1/communities/{to_segment('community_id', community_id)}/invites", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create_invite(
        self,
        community_id: str,
        body: Optional[shapes.NewInviteRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.CreatedInvite:
        """Creates an invite; its value is shown this once. Owners and admins can create it. It is for one account and ends when it is used, expires or is revoked. Only an owner can invite admins."""
        return await self._one(build_request("POST", f"/v1/communities/{to_segment('community_id', community_id)}/invites", body, None, Options(timeout, max_retries, headers or {})))

    async def revoke_invite(
        self,
        community_id: str,
        invite_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Invite:
        """Revokes an invite. No account can join with it afterwards. A repeated request has no further effect. An invite that was used is refused with 409: remove the member instead."""
        return await self._one(build_request("DELETE", f"/v1/communities/{to_segment('community_id', community_id)}/invites/{to_segment('invite_id', invite_id)}", None, None, Options(timeout, max_retries, headers or {})))


class AsyncAgentsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.AiLenserQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.AiLenserItem]:
        """Lists or searches AI lensers, the newest first. An AI lenser is a public profile with a model and instructions. With q the request is a search and counts as expensive."""
        return parts.start_list(lambda: self._page("GET", "/v1/agents", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewAiLenserRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AiLenser:
        """Creates an AI lenser that the caller owns. Its handle is unique among all accounts. Without a policy every action is denied. An owner can have a limited number of AI lensers."""
        return await self._one(build_request("POST", "/v1/agents", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        ai_lenser_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AiLenser:
        """Reads an AI lenser; its owner also gets instructions and policy. Every caller sees the profile and the model. Its owner also sees the instructions, the policy and today's use."""
        return await self._one(build_request("GET", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        ai_lenser_id: str,
        body: Optional[shapes.AiLenserPatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AiLenser:
        """Changes an active AI lenser of your own. Absent members stay as they are; policy is replaced as a whole. An archived AI lenser is refused with 409."""
        return await self._one(build_request("PATCH", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def archive(
        self,
        ai_lenser_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AiLenser:
        """Archives an AI lenser of your own permanently; its handle stays reserved. Cancels its active runs, ends its open approvals and stops its actions. It cannot be restored. Archiving again has no further effect."""
        return await self._one(build_request("POST", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/archive", None, None, Options(timeout, max_retries, headers or {})))

    def list_tools(
        self,
        ai_lenser_id: str,
        query: Optional[shapes.CountedPageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.AgentTool]:
        """Lists the tools of an AI lenser of your own, by name. The list has explicit grants and refusals. A tool that is not in the list has not been granted."""
        return parts.start_list(lambda: self._page("GET", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/tools", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def assign_tool(
        self,
        ai_lenser_id: str,
        body: shapes.AgentToolRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AgentTool:
        """Grants a tool to an AI lenser of your own, or refuses it. toolId is the name of a tool of the tool-call server, cast_vote, or mcp:<connector>/<tool>. Granting again changes the existing row."""
        return await self._one(build_request("POST", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/tools", body, None, Options(timeout, max_retries, headers or {})))

    async def revoke_tool(
        self,
        ai_lenser_id: str,
        tool_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AgentToolRevocation:
        """Revokes a tool of an AI lenser of your own. Removes the grant or refusal. Actions that need the tool are denied from now on."""
        return await self._one(build_request("DELETE", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/tools/{to_segment('tool_id', tool_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def run_action(
        self,
        ai_lenser_id: str,
        body: shapes.AgentActionRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AgentActionReply:
        """Performs an action as an AI lenser of your own, within its grants, policy and caps. The policy of the AI lenser allows or denies the action, or asks its owner: the reply then has an approval. The idempotency_key in metadata makes a repeated request return the first result."""
        return await self._one(build_request("POST", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/actions", body, None, Options(timeout, max_retries, headers or {})))

    def list_approvals(
        self,
        ai_lenser_id: str,
        query: Optional[shapes.AgentApprovalQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.AgentApproval]:
        """Lists the approvals that actions of an AI lenser of your own have requested, the newest first. An approval is an action that the policy lets the AI lenser perform only after its owner agrees. status filters the list."""
        return parts.start_list(lambda: self._page("GET", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/approvals", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_pending_approvals(
        self,
        query: Optional[shapes.CountedPageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.PendingAgentApproval]:
        """Lists the actions of all your AI lensers that wait for your approval, the newest first. decideAgentApproval decides about one. Decided and expired ones, and tool calls of ended runs, are not listed."""
        return parts.start_list(lambda: self._page("GET", "/v1/agent-approvals", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def decide_approval(
        self,
        ai_lenser_id: str,
        approval_id: str,
        body: shapes.AgentApprovalDecision,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AgentApproval:
        """Approves an action, which is then performed once, or denies it. The first decision counts; a later one and one after the expiry are refused with 409. An approved action is performed within the grants, policy and caps that hold at that time."""
        return await self._one(build_request("POST", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/approvals/{to_segment('approval_id', approval_id)}", body, None, Options(timeout, max_retries, headers or {})))

    def list_team_runs(
        self,
        ai_lenser_id: str,
        query: Optional[shapes.CountedPageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.TeamRun]:
        """Lists the team runs of an AI lenser of your own, the newest first. A team run is a run of a workflow in the name of an AI lenser. The list includes those that have ended."""
        return parts.start_list(lambda: self._page("GET", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/runs", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def start_team_run(
        self,
        ai_lenser_id: str,
        body: shapes.TeamRunRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.TeamRun:
        """Starts a team run; for the service role only, which calls the tool start_agent_team_run. Credentials of accounts are refused with 403. The service role starts team runs by the tool start_agent_team_run over stdio."""
        return await self._one(build_request("POST", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/runs", body, None, Options(timeout, max_retries, headers or {})))

    async def get_team_run(
        self,
        ai_lenser_id: str,
        team_run_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.TeamRun:
        """Reads a team run of an AI lenser of your own. The status is queued, running, blocked, completed, failed or cancelled. A blocked run waits for its owner or for an approval of a node."""
        return await self._one(build_request("GET", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/runs/{to_segment('team_run_id', team_run_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def approve_team_run(
        self,
        ai_lenser_id: str,
        team_run_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.TeamRun:
        """Starts a team run that waits for its owner. For a run with the policy manual, which waits at most 24 hours. A run that does not wait is refused with 409."""
        return await self._one(build_request("POST", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/runs/{to_segment('team_run_id', team_run_id)}/approve", None, None, Options(timeout, max_retries, headers or {})))

    async def cancel_team_run(
        self,
        ai_lenser_id: str,
        team_run_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.TeamRun:
        """Cancels a team run. A repeated request has no further effect. A run that has ended is refused with 409."""
        return await self._one(build_request("POST", f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/runs/{to_segment('team_run_id', team_run_id)}/cancel", None, None, Options(timeout, max_retries, headers or {})))

    def events(
        self,
        ai_lenser_id: str,
        *,
        last_event_id: Optional[str] = None,
        max_reconnects: int = 10,
        idle_timeout: float = 45.0,
        on_reconnect: Optional[Callable[[LensforgeError], object]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[AgentEvent]:
        """Streams the events of an AI lenser of your own; resumes after Last-Event-ID. Sends one frame for each event in order, a comment every 15 seconds, and event: done when the AI lenser is archived. Steps of its runs are in the events of the runs."""
        return self._events(f"/v1/agents/{to_segment('ai_lenser_id', ai_lenser_id)}/events", None, last_event_id, max_reconnects, idle_timeout, on_reconnect, headers)


class AsyncMcpServersMethods(AsyncMethods):
    def list_mcp_servers(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.McpServer]:
        """Lists the caller's external MCP servers, the newest first, without their secrets. AI lensers use the tools of these servers as far as they are granted. A server that is not enabled is listed, too."""
        return parts.start_list(lambda: self._page("GET", "/v1/mcp-servers", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create_mcp_server(
        self,
        body: shapes.NewMcpServerRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Registers an external MCP server, whose tools AI lensers of the caller can be granted; reads its tools. Secrets are sealed. The reply waits a few seconds for the list of tools; when its refresh is pending, read the server again. 409 when the name is taken."""
        return await self._one(build_request("POST", "/v1/mcp-servers", body, None, Options(timeout, max_retries, headers or {})))

    async def get_mcp_server(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Reads an MCP server without its secrets. Shows the address, the kind of authentication and the result of the last refresh of its tools."""
        return await self._one(build_request("GET", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update_mcp_server(
        self,
        mcp_server_id: str,
        body: Optional[shapes.McpServerPatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Changes credentials, allowed tools or whether the server is enabled. Name and address never change. Grants of tools that are no longer allowed stay, and cannot be used."""
        return await self._one(build_request("PATCH", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def delete_mcp_server(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Deletes a server with its secrets, and revokes the grants of its tools. Agents cannot call its tools from then on. A server with the same name needs new grants."""
        return await self._one(build_request("DELETE", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def refresh_mcp_server(
        self,
        mcp_server_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Reads the list of tools again; answers pending when the server takes more than a few seconds. A tool whose description, schema or annotations changed is suspended for each agent until it is granted again."""
        return await self._one(build_request("POST", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}/refresh", None, None, Options(timeout, max_retries, headers or {})))

    async def authorize_mcp_server(
        self,
        mcp_server_id: str,
        body: shapes.NewMcpAuthorizationRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Begins the OAuth authorization of a server; answers an address to open in a browser. A worker reads the metadata of the server and registers a client. While authorization.status is preparing, read the server again. It replaces an authorization that was begun before."""
        return await self._one(build_request("POST", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}/authorization", body, None, Options(timeout, max_retries, headers or {})))

    async def finish_mcp_authorization(
        self,
        mcp_server_id: str,
        body: shapes.McpAuthorizationAnswer,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Finishes an authorization with the code with which the browser returned. A worker exchanges the code for tokens, which replace auth of the server, and reads its tools. Only the owner can finish, once, within ten minutes; begin again after a failure."""
        return await self._one(build_request("POST", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}/authorization/finish", body, None, Options(timeout, max_retries, headers or {})))

    async def confirm_mcp_issuer(
        self,
        mcp_server_id: str,
        body: shapes.McpIssuer,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.McpServer:
        """Ends the suspension of a server whose authorization server has changed. Names the issuer and tokenUrl of authorizationServer.changedTo, which get the secrets from then on, or those of authorizationServer, which keep them. 409 when neither is named or none has changed."""
        return await self._one(build_request("POST", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}/issuer", body, None, Options(timeout, max_retries, headers or {})))

    def list_mcp_tools(
        self,
        mcp_server_id: str,
        query: Optional[shapes.CountedPageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.McpTool]:
        """Lists the tools of a server, by name. The list is that of the last refresh. Grant a tool by its toolId."""
        return parts.start_list(lambda: self._page("GET", f"/v1/mcp-servers/{to_segment('mcp_server_id', mcp_server_id)}/tools", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))


class AsyncThreadsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.ThreadListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Thread]:
        """Lists the threads about a subject, or those without one, the newest first. With subjectType and subjectId it lists the threads about that lens, workflow, battle, run or community, otherwise the threads without a subject."""
        return parts.start_list(lambda: self._page("GET", "/v1/threads", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewThreadRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Thread:
        """Creates a thread, about a subject or on its own. A thread with a subject is never visible to more callers than its subject. An account has at most 1,000 open threads; one more is refused with 409."""
        return await self._one(build_request("POST", "/v1/threads", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        thread_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Thread:
        """Reads a thread. Shows the title, the status, the subject and the number of messages. A caller who cannot see the subject gets 404."""
        return await self._one(build_request("GET", f"/v1/threads/{to_segment('thread_id', thread_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        thread_id: str,
        body: Optional[shapes.ThreadPatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Thread:
        """Renames, closes or reopens a thread, as a moderator. The owners of the thread and of its subject can do it, and moderators of its community. A closed thread takes no messages. What a moderator has closed, the owner of the thread cannot reopen."""
        return await self._one(build_request("PATCH", f"/v1/threads/{to_segment('thread_id', thread_id)}", body, None, Options(timeout, max_retries, headers or {})))

    def events(
        self,
        thread_id: str,
        *,
        last_event_id: Optional[str] = None,
        max_reconnects: int = 10,
        idle_timeout: float = 45.0,
        on_reconnect: Optional[Callable[[LensforgeError], object]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[ThreadEvent]:
        """Streams the messages and other events of a thread; resumes after Last-Event-ID. Sends one frame for each message and change in order, and event: done when the thread is closed. An event has its message as it is when it is sent, so deleted texts are not repeated."""
        return self._events(f"/v1/threads/{to_segment('thread_id', thread_id)}/events", None, last_event_id, max_reconnects, idle_timeout, on_reconnect, headers)

    def list_messages(
        self,
        thread_id: str,
        query: Optional[shapes.MessageListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Message]:
        """Lists the messages of a thread. Messages are numbered from 1 without gaps, and pages follow these numbers. parentId lists the replies to one message."""
        return parts.start_list(lambda: self._page("GET", f"/v1/threads/{to_segment('thread_id', thread_id)}/messages", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def post_message(
        self,
        thread_id: str,
        body: shapes.NewMessageRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Message:
        """Posts a message; AI lensers that it mentions may answer. The text is Markdown of at most 16,000 characters and is stored as it is sent. A closed or full thread is refused with 409."""
        return await self._one(build_request("POST", f"/v1/threads/{to_segment('thread_id', thread_id)}/messages", body, None, Options(timeout, max_retries, headers or {})))

    async def get_message(
        self,
        thread_id: str,
        message_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.MessageDetail:
        """Reads a message with its earlier texts and the answers of AI lensers that it mentions. The reply has the earlier texts of an edited message and, for each mentioned AI lenser, whether it waits, answers, has answered or declined."""
        return await self._one(build_request("GET", f"/v1/threads/{to_segment('thread_id', thread_id)}/messages/{to_segment('message_id', message_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def edit_message(
        self,
        thread_id: str,
        message_id: str,
        body: shapes.MessagePatch,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Message:
        """Edits a message of your own, within 15 minutes. With version, the edit of a text that has changed meanwhile is refused with 409. Mentions that an edit adds are not answered."""
        return await self._one(build_request("PATCH", f"/v1/threads/{to_segment('thread_id', thread_id)}/messages/{to_segment('message_id', message_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def delete_message(
        self,
        thread_id: str,
        message_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Message:
        """Deletes the text of a message of your own, with its earlier texts; the message stays as deleted. The author can delete it at any time, the owner of an AI lenser its messages. The replies stay."""
        return await self._one(build_request("DELETE", f"/v1/threads/{to_segment('thread_id', thread_id)}/messages/{to_segment('message_id', message_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def hide_message(
        self,
        thread_id: str,
        message_id: str,
        body: Optional[shapes.HideMessageRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Message:
        """Hides a message or shows it again, as a moderator. Only its author and moderators see the text of a hidden message. hidden: false shows it again."""
        return await self._one(build_request("POST", f"/v1/threads/{to_segment('thread_id', thread_id)}/messages/{to_segment('message_id', message_id)}/hide", body, None, Options(timeout, max_retries, headers or {})))

    def list_mutes(
        self,
        thread_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Mute]:
        """Lists the accounts that are muted in a thread, for moderators. A muted account and its AI lensers can read the thread, but not write in it."""
        return parts.start_list(lambda: self._page("GET", f"/v1/threads/{to_segment('thread_id', thread_id)}/mutes", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def mute_member(
        self,
        thread_id: str,
        account_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Mute:
        """Mutes an account in a thread, as a moderator: it can read, but not post or edit. Accounts that moderate the thread cannot be muted: the request is refused with 409. A repeated request has no further effect."""
        return await self._one(build_request("PUT", f"/v1/threads/{to_segment('thread_id', thread_id)}/mutes/{to_segment('account_id', account_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def unmute_member(
        self,
        thread_id: str,
        account_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Unmuted:
        """Ends the mute of an account, as a moderator. The account can write again. A request without a mute has no effect."""
        return await self._one(build_request("DELETE", f"/v1/threads/{to_segment('thread_id', thread_id)}/mutes/{to_segment('account_id', account_id)}", None, None, Options(timeout, max_retries, headers or {})))


class AsyncAuditMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.AuditQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.AuditEntry]:
        """Lists the audit log of the account or a community, the newest first. An entry has what was done, by which account and credential, and when. Entries are chained by hashes and cannot be changed. communityId shows the log of a community, for its owners and admins."""
        return parts.start_list(lambda: self._page("GET", "/v1/audit", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def verify(
        self,
        query: Optional[shapes.AuditVerificationQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.AuditVerification:
        """Verifies the hashes of the audit log of the account or a community. Computes the hash of every entry again and compares it with the stored one, from the first to the newest entry, 10,000 in a request. A copy of an older hash that you keep outside of the platform must still be in the list."""
        return await self._one(build_request("GET", "/v1/audit/verification", query, None, Options(timeout, max_retries, headers or {})))


class AsyncLensesMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.LensQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.LensItem]:
        """Lists or searches the lenses that the caller can see. Lists public lenses, community lenses for accounts, and the lenses of the caller. With q the request is a search and counts as expensive."""
        return parts.start_list(lambda: self._page("GET", "/v1/lenses", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewLensRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensRecord:
        """Creates a lens, with its text as version 1.0.0. [[Name]] in the text is a required parameter, [[Name!]] an optional one. The lens is private unless visibility says otherwise, and published unless status is draft."""
        return await self._one(build_request("POST", "/v1/lenses", body, None, Options(timeout, max_retries, headers or {})))

    async def import_(
        self,
        body: shapes.LensFile,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensRecord:
        """Imports an exported lens with all its versions and labels. Takes the document of an export. The new lens belongs to the caller and has a new id. The body can be larger than other bodies."""
        return await self._one(build_request("POST", "/v1/lenses/import", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensRecord:
        """Reads a lens with its newest text, parameters and labels. Lenses that the caller cannot see return 404; only their owner sees drafts and archived lenses."""
        return await self._one(build_request("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        lens_id: str,
        body: Optional[shapes.LensPatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensRecord:
        """Changes a lens of your own; a different text creates a new version. Absent members stay as they are. A version is never changed: another text becomes the next version, with a changelog."""
        return await self._one(build_request("PATCH", f"/v1/lenses/{to_segment('lens_id', lens_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def delete(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensDeleted:
        """Deletes a lens of your own permanently. Hides the lens with all its versions and labels from every request. Its runs stay. It cannot be restored; use archiveLens to hide it for a while."""
        return await self._one(build_request("DELETE", f"/v1/lenses/{to_segment('lens_id', lens_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def save_candidate(
        self,
        lens_id: str,
        body: Optional[shapes.LensCandidate] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensCandidateSaved:
        """Saves a text of your own lens to try it; callers keep the newest version. Lists of versions do not have it, and no caller gets it who does not name its id as the version. The same content is saved once."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/candidates", body, None, Options(timeout, max_retries, headers or {})))

    async def get_draft(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensDraftReply:
        """Reads the draft of a lens of your own: the change that is not saved as a version yet. A lens has at most one draft, which the console keeps while you type. Only the owner of the lens can read it."""
        return await self._one(build_request("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/draft", None, None, Options(timeout, max_retries, headers or {})))

    async def save_draft(
        self,
        lens_id: str,
        body: shapes.LensDraftRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensDraftReply:
        """Keeps a change of your own lens as its draft, in place of the one before. Callers of the lens do not get it; updateLens makes a version of it. Exports of the lens do not contain it."""
        return await self._one(build_request("PUT", f"/v1/lenses/{to_segment('lens_id', lens_id)}/draft", body, None, Options(timeout, max_retries, headers or {})))

    async def discard_draft(
        self,
        lens_id: str,
        query: Optional[shapes.LensDraftQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensDraftReply:
        """Discards the draft of a lens of your own. A repeated request has no further effect."""
        return await self._one(build_request("DELETE", f"/v1/lenses/{to_segment('lens_id', lens_id)}/draft", query, None, Options(timeout, max_retries, headers or {})))

    async def publish(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensStateReply:
        """Publishes a draft. A published lens is visible to the callers that its visibility names. Publishing raises the event lens.published. A published lens stays as it is; an archived one is refused with 409."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/publish", None, None, Options(timeout, max_retries, headers or {})))

    async def archive(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensStateReply:
        """Archives a lens: lists omit it and others cannot use it; it can be restored. Runs that were accepted before continue. A repeated request has no further effect."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/archive", None, None, Options(timeout, max_retries, headers or {})))

    async def restore(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensStateReply:
        """Restores an archived lens. The lens has its previous visibility again. A lens that is not archived is refused with 409."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/restore", None, None, Options(timeout, max_retries, headers or {})))

    async def fork(
        self,
        lens_id: str,
        body: Optional[shapes.LensForkRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensRecord:
        """Forks a public or community lens into one of your own. The fork is a lens of its own that names its source. Later changes of the source do not affect it."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/fork", body, None, Options(timeout, max_retries, headers or {})))

    def list_versions(
        self,
        lens_id: str,
        query: Optional[shapes.LensVersionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.LensVersionItem]:
        """Lists the versions of a lens, the newest first. Items have the number, the changelog, the labels and the time of each version, without its text."""
        return parts.start_list(lambda: self._page("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/versions", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get_version(
        self,
        lens_id: str,
        version: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensVersionRecord:
        """Reads a version of a lens by its id, number or label. A version can be named by its id, by its number such as 1.2.0, or by a label such as production. It never changes; what a label points at can."""
        return await self._one(build_request("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/versions/{to_segment('version', version)}", None, None, Options(timeout, max_retries, headers or {})))

    async def diff_versions(
        self,
        lens_id: str,
        query: shapes.LensDiffQuery,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensDiff:
        """Compares two versions: lines of text, and parameters. from and to are ids, numbers or labels. The reply has the added and removed lines, and the parameters that were added, removed or changed."""
        return await self._one(build_request("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/diff", query, None, Options(timeout, max_retries, headers or {})))

    async def export(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensFile:
        """Exports a lens with all its versions and labels as one document. The document can be imported at this or at another platform. It has no ids of accounts."""
        return await self._one(build_request("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/export", None, None, Options(timeout, max_retries, headers or {})))

    async def set_label(
        self,
        lens_id: str,
        label: str,
        body: shapes.LensLabelRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensLabelPlace:
        """Points a label at a version; point it at an older version to roll back. Creates the label or moves it. Runs and workflow nodes that name the label use the new version from now on. Tokens other than those of a session get 403 for a protected label."""
        return await self._one(build_request("PUT", f"/v1/lenses/{to_segment('lens_id', lens_id)}/labels/{to_segment('label', label)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove_label(
        self,
        lens_id: str,
        label: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensLabelRemoved:
        """Removes a label; the version stays. Later requests that name the label are refused. The version can still be named by its id and number. Tokens other than those of a session get 403 for a protected label."""
        return await self._one(build_request("DELETE", f"/v1/lenses/{to_segment('lens_id', lens_id)}/labels/{to_segment('label', label)}", None, None, Options(timeout, max_retries, headers or {})))

    async def return_label(
        self,
        lens_id: str,
        label: str,
        body: Optional[shapes.LabelReturnRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensLabelPlace:
        """Points a label at the version that it had before. Undoes the move that brought the label to its version of now, and the history keeps both. Tokens other than those of a session get 403 for a protected label; 409 when it had no version before."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/labels/{to_segment('label', label)}/return", body, None, Options(timeout, max_retries, headers or {})))

    def list_label_moves(
        self,
        lens_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.LensLabelMove]:
        """Lists where the labels of a lens of the caller pointed, the newest move first. Only the owner of the lens can read it."""
        return parts.start_list(lambda: self._page("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/label-moves", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_including(
        self,
        lens_id: str,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.LensItem]:
        """Lists the lenses of the caller whose newest version includes this one, the newest first. A text includes another lens with a tag such as [[> alice/tone@production]]."""
        return parts.start_list(lambda: self._page("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/included-by", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_cases(
        self,
        lens_id: str,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.LensCase]:
        """Lists the saved cases of a lens of the caller, the oldest first. A case has parameters and, if one was saved, an answer to compare others with. Only the owner of the lens can read them."""
        return parts.start_list(lambda: self._page("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/cases", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def save_case(
        self,
        lens_id: str,
        body: shapes.LensCaseRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensCase:
        """Saves parameters of a lens as a case, and replaces the case with the same name. A lens has up to 100 cases. Exports of the lens do not contain them."""
        return await self._one(build_request("PUT", f"/v1/lenses/{to_segment('lens_id', lens_id)}/cases", body, None, Options(timeout, max_retries, headers or {})))

    async def remove_case(
        self,
        lens_id: str,
        case_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensCaseRemoved:
        """Removes a saved case of a lens of the caller. Runs that were made with it stay."""
        return await self._one(build_request("DELETE", f"/v1/lenses/{to_segment('lens_id', lens_id)}/cases/{to_segment('case_id', case_id)}", None, None, Options(timeout, max_retries, headers or {})))

    def list_workflows(
        self,
        lens_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WorkflowOfLens]:
        """Lists the workflows of the caller whose newest version executes a lens. Nodes of nested maps count. Workflows of other accounts are never listed."""
        return parts.start_list(lambda: self._page("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/workflows", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def execute(
        self,
        lens_id: str,
        body: shapes.LensExecuteRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PlatformExecutionAccepted:
        """Executes a lens; returns the accepted run at once. Answers as soon as the run is stored. Wait for its end with streamRunEvents or getRun. Missing parameters and too few credits are refused before a run exists; an idempotencyKey makes the request safe to repeat."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/execute", body, "body", Options(timeout, max_retries, headers or {}, idempotency_key)))

    async def execute_batch(
        self,
        lens_id: str,
        body: shapes.LensBatchRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LensBatchAccepted:
        """Executes a lens many times; each item counts as one execution and returns a run or a fault. Takes up to 1,000 items in one request, each with its own idempotencyKey. The reply has a run or a fault for each item in the same order, and a batchId with which runs are listed and followed."""
        return await self._one(build_request("POST", f"/v1/lenses/{to_segment('lens_id', lens_id)}/execute-batch", body, "items", Options(timeout, max_retries, headers or {}, idempotency_key)))

    async def get_sponsorship(
        self,
        lens_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Sponsorship:
        """Reads the sponsor pool of a lens of the caller, with its use. Shows the limits of the pool and what runs of others have used and hold."""
        return await self._one(build_request("GET", f"/v1/lenses/{to_segment('lens_id', lens_id)}/sponsorship", None, None, Options(timeout, max_retries, headers or {})))

    async def set_sponsorship(
        self,
        lens_id: str,
        body: shapes.SponsorshipRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Sponsorship:
        """Opens, changes or closes the sponsor pool of a lens, which pays for runs with fundingSource sponsored. Replaces all settings of the pool. Runs of other accounts use it when they name fundingSource sponsored; enabled: false stops that without losing the counts."""
        return await self._one(build_request("PUT", f"/v1/lenses/{to_segment('lens_id', lens_id)}/sponsorship", body, None, Options(timeout, max_retries, headers or {})))


class AsyncDatasetsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.DatasetListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Dataset]:
        """Lists the datasets of the caller, the newest first. A dataset has named cases to try lenses and workflows with."""
        return parts.start_list(lambda: self._page("GET", "/v1/datasets", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.DatasetRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Dataset:
        """Creates a dataset, without cases or with those of a lens. Refused with 409 when the account has one with this name."""
        return await self._one(build_request("POST", "/v1/datasets", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        dataset_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Dataset:
        """Returns a dataset of the caller without its cases. Its cases are returned by listDatasetCases."""
        return await self._one(build_request("GET", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        dataset_id: str,
        body: Optional[shapes.DatasetPatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Dataset:
        """Changes the name or description of a dataset. Such a change makes no revision of the cases."""
        return await self._one(build_request("PATCH", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        dataset_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.DatasetRemoved:
        """Deletes a dataset with all its revisions. Its cases and revisions cannot be read any more."""
        return await self._one(build_request("DELETE", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}", None, None, Options(timeout, max_retries, headers or {})))

    def list_cases(
        self,
        dataset_id: str,
        query: Optional[shapes.DatasetCaseQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.DatasetCase]:
        """Lists the cases of a revision by their keys. Keys are ordered by their bytes. An unknown revision is 404."""
        return parts.start_list(lambda: self._page("GET", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}/cases", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def change_cases(
        self,
        dataset_id: str,
        body: Optional[shapes.DatasetCasesRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.DatasetChange:
        """Adds, changes and removes cases as one new revision. Earlier revisions stay as they are. A request that changes nothing makes no revision, so that it may be repeated. A dataset has at most 100,000 cases, a case at most 100,000 characters."""
        return await self._one(build_request("POST", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}/cases", body, "none", Options(timeout, max_retries, headers or {})))

    async def import_cases(
        self,
        dataset_id: str,
        body: shapes.DatasetImport,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.DatasetChange:
        """Adds and changes cases of a file as one new revision. NDJSON has a case in each line, JSON a list of them. CSV has the columns key, expected, tags (separated by blanks) and param: or metadata: with a name. Cases without a key get the number of their row."""
        return await self._one(build_request("POST", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}/import", body, "none", Options(timeout, max_retries, headers or {})))

    async def add_cases_from_runs(
        self,
        dataset_id: str,
        body: Optional[shapes.CasesFromRuns] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.DatasetChange:
        """Makes a case of each run: its parameters and, if wanted, its output as expected. The keys are the ids of the runs. A run of another account is 404, one without parameters 400."""
        return await self._one(build_request("POST", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}/cases-from-runs", body, "none", Options(timeout, max_retries, headers or {})))

    async def export(
        self,
        dataset_id: str,
        query: Optional[shapes.DatasetExportQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Returns all cases of a revision as a file. The file can be imported into a dataset, also at another platform."""
        return await self._file(build_request("GET", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}/export", query, None, Options(timeout, max_retries, headers or {})))

    def list_revisions(
        self,
        dataset_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.DatasetRevision]:
        """Lists the revisions of a dataset, the newest first. Each has the numbers of cases that it has added, changed and removed."""
        return parts.start_list(lambda: self._page("GET", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}/revisions", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def diff_revisions(
        self,
        dataset_id: str,
        query: Optional[shapes.DatasetDiffQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.CaseDifference]:
        """Lists the cases that differ between two revisions, by their keys. Revision 0 stands for the dataset before its first case."""
        return parts.start_list(lambda: self._page("GET", f"/v1/datasets/{to_segment('dataset_id', dataset_id)}/diff", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))


class AsyncExperimentsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.ExperimentQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ExperimentItem]:
        """Lists the experiments of the caller, the newest first. Their results are returned by getExperiment."""
        return parts.start_list(lambda: self._page("GET", "/v1/experiments", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.ExperimentRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ExperimentAccepted:
        """Runs the cases of a dataset with each arm, and scores the answers. Each case, arm and repetition is one run. Parameters of cases that an arm does not have, or that it lacks, are refused with 400. A workflow needs workflows:write too."""
        return await self._one(build_request("POST", "/v1/experiments", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        experiment_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Experiment:
        """Returns an experiment with its progress, and its results after its end. docs/statistics.md says what the numbers mean."""
        return await self._one(build_request("GET", f"/v1/experiments/{to_segment('experiment_id', experiment_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        experiment_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ExperimentRemoved:
        """Deletes an experiment that has ended, with its scores. Its runs stay. One that has not ended is 409."""
        return await self._one(build_request("DELETE", f"/v1/experiments/{to_segment('experiment_id', experiment_id)}", None, None, Options(timeout, max_retries, headers or {})))

    def list_cells(
        self,
        experiment_id: str,
        query: Optional[shapes.CellQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ExperimentCell]:
        """Lists the cells of an experiment: the output and scores of each run. In the order of the cases, repetitions and arms. Cells that have not started are not listed."""
        return parts.start_list(lambda: self._page("GET", f"/v1/experiments/{to_segment('experiment_id', experiment_id)}/cells", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def export(
        self,
        experiment_id: str,
        query: Optional[shapes.ExperimentExportQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Returns all cells of an experiment as a file. NDJSON, CSV, JUnit XML with a test case for each cell and each rule of the gate, or the JSON of promptfoo."""
        return await self._file(build_request("GET", f"/v1/experiments/{to_segment('experiment_id', experiment_id)}/export", query, None, Options(timeout, max_retries, headers or {})))

    async def cancel(
        self,
        experiment_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ExperimentItem:
        """Cancels an experiment with its runs that have not ended. The scores that it has stay. One that has ended is 409."""
        return await self._one(build_request("POST", f"/v1/experiments/{to_segment('experiment_id', experiment_id)}/cancel", None, "none", Options(timeout, max_retries, headers or {})))

    async def resume(
        self,
        experiment_id: str,
        body: Optional[shapes.ExperimentResume] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ExperimentItem:
        """Continues an incomplete experiment, with another budget if one is given. Cells that have a score keep it. An experiment that is not incomplete is 409."""
        return await self._one(build_request("POST", f"/v1/experiments/{to_segment('experiment_id', experiment_id)}/resume", body, "none", Options(timeout, max_retries, headers or {})))

    def events(
        self,
        experiment_id: str,
        *,
        last_event_id: Optional[str] = None,
        max_reconnects: int = 10,
        idle_timeout: float = 45.0,
        on_reconnect: Optional[Callable[[LensforgeError], object]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[ExperimentEvent]:
        """Streams the events of an experiment; resumes after Last-Event-ID. Sends one frame for each event in order, a comment every 15 seconds, and event: done when the experiment has ended."""
        return self._events(f"/v1/experiments/{to_segment('experiment_id', experiment_id)}/events", None, last_event_id, max_reconnects, idle_timeout, on_reconnect, headers)

    async def clone(
        self,
        experiment_id: str,
        body: Optional[shapes.ExperimentClone] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ExperimentAccepted:
        """Repeats an experiment, with other scorers if they are given. With the answers `same`, only the scores are made again, which costs no new answers; an experiment that has not ended is 409 then. The versions of its arms stay."""
        return await self._one(build_request("POST", f"/v1/experiments/{to_segment('experiment_id', experiment_id)}/clone", body, None, Options(timeout, max_retries, headers or {})))


class AsyncScorersMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.StoredScorer]:
        """Lists the scorers of the caller, the newest first. Each is listed in its newest version."""
        return parts.start_list(lambda: self._page("GET", "/v1/scorers", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.ScorerCreate,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScorerCreated:
        """Stores a scorer, for several experiments. A name that another scorer of the caller has is 409. The secret of a scorer of the kind http is only in this reply."""
        return await self._one(build_request("POST", "/v1/scorers", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        scorer_id: str,
        query: Optional[shapes.ScorerVersionQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.StoredScorer:
        """Returns a scorer in its newest or another version. Versions do not change: a score that names one can be made again."""
        return await self._one(build_request("GET", f"/v1/scorers/{to_segment('scorer_id', scorer_id)}", query, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        scorer_id: str,
        body: shapes.ScorerUpdate,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.StoredScorer:
        """Makes a new version of a scorer. A rule that is the same as the newest one makes none. The kind stays."""
        return await self._one(build_request("PUT", f"/v1/scorers/{to_segment('scorer_id', scorer_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        scorer_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScorerRemoved:
        """Deletes a scorer with its versions. Experiments keep the rules that they have scored with."""
        return await self._one(build_request("DELETE", f"/v1/scorers/{to_segment('scorer_id', scorer_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def test(
        self,
        scorer_id: str,
        body: shapes.ScorerTest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScorerTested:
        """Scores outputs without an experiment. A judge is asked in runs of the caller, and waited for up to 25 seconds; a score that is not there then has an error."""
        return await self._one(build_request("POST", f"/v1/scorers/{to_segment('scorer_id', scorer_id)}/test", body, None, Options(timeout, max_retries, headers or {})))


class AsyncRecordingsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.Recording]:
        """Lists the recordings of the caller, the newest first. Experiments with the cache `record` make them, and importRecording does."""
        return parts.start_list(lambda: self._page("GET", "/v1/recordings", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def import_(
        self,
        body: shapes.RecordingImport,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Recording:
        """Stores a file as a recording, which experiments can replay. A line that is not a recorded call is refused with its number."""
        return await self._one(build_request("POST", "/v1/recordings", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        recording_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Recording:
        """Returns a recording with the number of its calls. The calls themselves are returned by exportRecording."""
        return await self._one(build_request("GET", f"/v1/recordings/{to_segment('recording_id', recording_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        recording_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RecordingRemoved:
        """Deletes a recording. Experiments that replay it fail from then on."""
        return await self._one(build_request("DELETE", f"/v1/recordings/{to_segment('recording_id', recording_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def export(
        self,
        recording_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Returns a recording as a file with a call in each line. The order of the lines does not depend on when the calls were made. Secrets were removed before storage."""
        return await self._file(build_request("GET", f"/v1/recordings/{to_segment('recording_id', recording_id)}/export", None, None, Options(timeout, max_retries, headers or {})))


class AsyncRunsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.RunsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.RunItem]:
        """Lists the caller's runs, the newest first. Lists runs of the kinds that the scopes of the caller can read. Filters can be combined; several statuses match any of them, several tags match all. A page with `q`, `modelKey`, `minCreditCost`, `minDurationMs`, `scoreName`, `minScore` or `maxScore` goes through 10,000 runs that match the other filters, and with `q` through at most 32 MB of text. It can therefore have fewer items than its limit, or none, and still a `meta.nextCursor` that goes on from there."""
        return parts.start_list(lambda: self._page("GET", "/v1/runs", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        run_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PlatformRunStatus:
        """Reads the status and the artifacts of a run. The primary output is the artifact with isPrimaryOutput. Runs of other accounts return 404. Poll it, or follow streamRunEvents instead."""
        return await self._one(build_request("GET", f"/v1/runs/{to_segment('run_id', run_id)}", None, None, Options(timeout, max_retries, headers or {})))

    def events(
        self,
        run_id: str,
        query: Optional[shapes.RunEventsQuery] = None,
        *,
        last_event_id: Optional[str] = None,
        max_reconnects: int = 10,
        idle_timeout: float = 45.0,
        on_reconnect: Optional[Callable[[LensforgeError], object]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[RunEvent]:
        """Streams the events of a run; resumes after Last-Event-ID. Sends one frame for each stored event in order, a comment every 15 seconds, and event: done after the event that ends the run. A read token is accepted as a bearer token from any origin, and in the query for an EventSource."""
        return self._events(f"/v1/runs/{to_segment('run_id', run_id)}/events", cast("Optional[Mapping[str, Any]]", query), last_event_id, max_reconnects, idle_timeout, on_reconnect, headers)

    def group_events(
        self,
        query: Optional[shapes.GroupEventsQuery] = None,
        *,
        last_event_id: Optional[str] = None,
        max_reconnects: int = 10,
        idle_timeout: float = 45.0,
        on_reconnect: Optional[Callable[[LensforgeError], object]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[RunEvent]:
        """Streams the events of all runs of a batch or with a tag; resumes after Last-Event-ID. Name either a batchId or a tag. Ids of frames are opaque. The stream of a batch ends with event: done, that of a tag does not end."""
        return self._events("/v1/run-events", cast("Optional[Mapping[str, Any]]", query), last_event_id, max_reconnects, idle_timeout, on_reconnect, headers)

    async def create_read_token(
        self,
        run_id: str,
        body: Optional[shapes.RunReadTokenRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunReadToken:
        """Creates a short-lived token with which a browser can follow the events of a run. The token reads the events of this run only and is never valid for longer than the credential that created it. Send it as a bearer token. eventsPath in the reply has it as a query parameter, for an EventSource."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/read-token", body, None, Options(timeout, max_retries, headers or {})))

    def list_artifacts(
        self,
        run_id: str,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.PlatformExecutionArtifact]:
        """Lists the artifacts of a run, its primary output first. Artifacts are the outputs of a run: text, JSON, traces of its execution and results of rubrics. A run that has not ended can have some already."""
        return parts.start_list(lambda: self._page("GET", f"/v1/runs/{to_segment('run_id', run_id)}/artifacts", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get_artifact(
        self,
        run_id: str,
        artifact_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PlatformExecutionArtifact:
        """Reads an artifact of a run. The content is in contentText or contentJson, according to its kind."""
        return await self._one(build_request("GET", f"/v1/runs/{to_segment('run_id', run_id)}/artifacts/{to_segment('artifact_id', artifact_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def get_artifact_content(
        self,
        run_id: str,
        artifact_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Downloads the content of an artifact unchanged, as text or JSON. Sends the content alone as text/plain or application/json, without the envelope, with a Content-Disposition for downloads."""
        return await self._file(build_request("GET", f"/v1/runs/{to_segment('run_id', run_id)}/artifacts/{to_segment('artifact_id', artifact_id)}/content", None, None, Options(timeout, max_retries, headers or {})))

    async def retry(
        self,
        run_id: str,
        body: Optional[shapes.RunRetryRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PlatformExecutionAccepted:
        """Retries a run that failed, timed out or was canceled, as a new run. The new run has the same model, parameters and options, and the same version unless the request names another one. It is charged again and names the original in parentRunId. A run that has not ended or that has succeeded is refused with 409."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/retry", body, "body", Options(timeout, max_retries, headers or {}, idempotency_key)))

    async def report(
        self,
        run_id: str,
        body: shapes.RunReportRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunReported:
        """Ends a tracking record, once, with the outcome that its caller reports. For runs that were recorded by the tool run_lens and are executed by their caller. A second report is refused with 409."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/report", body, None, Options(timeout, max_retries, headers or {})))

    async def get_input(
        self,
        run_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunInput:
        """Reads what a run was started with: parameters, versions and limits. A retry starts with the same parameters and the same version. Parameters are as the caller gave them. Prompts and judgements have none."""
        return await self._one(build_request("GET", f"/v1/runs/{to_segment('run_id', run_id)}/input", None, None, Options(timeout, max_retries, headers or {})))

    async def cancel(
        self,
        run_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunCanceled:
        """Cancels a run: at once while queued, within seconds while running. The platform returns the hold of credits that were not used. A run that has ended is refused with 409."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/cancel", None, None, Options(timeout, max_retries, headers or {})))

    async def get_statistics(
        self,
        query: shapes.RunStatisticsQuery,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunStatistics:
        """Counts the caller's runs by status over time, with their times and credits. A run belongs to the bucket in which it was accepted, with its present status. The newest 100,000 runs of the range are counted, of the kinds that the scopes of the caller can read."""
        return await self._one(build_request("GET", "/v1/run-statistics", query, None, Options(timeout, max_retries, headers or {})))

    async def get_release_statistics(
        self,
        query: Optional[shapes.ReleaseStatisticsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ReleaseStatistics:
        """Compares the caller's runs of a lens or workflow by version, label or arm. Failures, times, tokens, credits and scores of each group, with intervals, and whether a group fails more often than the largest one. Runs of experiments are left out. The newest 100,000 runs of the range are counted."""
        return await self._one(build_request("GET", "/v1/release-statistics", query, None, Options(timeout, max_retries, headers or {})))

    async def get_score_statistics(
        self,
        query: Optional[shapes.ScoreStatisticsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScoreStatistics:
        """Shows the scores of the runs of a lens or workflow over time. The mean of each score with its interval, over time and in all, and whether it has drifted. Runs of experiments are left out. The newest 100,000 scores of the range are counted."""
        return await self._one(build_request("GET", "/v1/score-statistics", query, None, Options(timeout, max_retries, headers or {})))

    def list_scores(
        self,
        run_id: str,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.RunScore]:
        """Lists the scores of a run, the newest first. Scores of end users, of the caller, of rules and of reviews. A run of a lens or workflow can have scores, also before it has ended."""
        return parts.start_list(lambda: self._page("GET", f"/v1/runs/{to_segment('run_id', run_id)}/scores", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def set_score(
        self,
        run_id: str,
        body: shapes.RunScoreRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunScore:
        """Gives a run a score that you have computed or asked for. Give either a score or a thumb. One with the same name replaces it. For scores of people in a browser see createFeedbackKey."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/scores", body, "none", Options(timeout, max_retries, headers or {})))

    async def create_feedback_key(
        self,
        run_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.FeedbackKey:
        """Creates a key with which a browser can give one run a score, once, within an hour. Hand the key to the page that shows the answer. It can do nothing but give this run one score, and is never valid for longer than the credential that created it."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/feedback-key", None, None, Options(timeout, max_retries, headers or {})))

    async def give_feedback(
        self,
        run_id: str,
        body: shapes.FeedbackRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.FeedbackReceived:
        """Gives a run the score of an end user. The key authenticates the call, from any origin; no other credential is needed. Give either a score or a thumb. The key works once: a later call is refused with 409."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/feedback", body, None, Options(timeout, max_retries, headers or {})))

    def list_evaluations(
        self,
        run_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.RunEvaluation]:
        """Says of each rule of evaluation what it has done with a run, and why. A run was evaluated, was skipped for a reason, or waits. Rules of other lenses and workflows are left out."""
        return parts.start_list(lambda: self._page("GET", f"/v1/runs/{to_segment('run_id', run_id)}/evaluations", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_nodes(
        self,
        run_id: str,
        query: Optional[shapes.RunNodesQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.RunNodeItem]:
        """Lists the nodes of a workflow run: status, input, output and error. Lists the nodes that the run has reached. The nodes of a map have paths such as each[3].summary as their keys."""
        return parts.start_list(lambda: self._page("GET", f"/v1/runs/{to_segment('run_id', run_id)}/nodes", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_approvals(
        self,
        run_id: str,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.RunApproval]:
        """Lists the approvals that a run has requested, the newest first. An approval is a question of a workflow node that waits for a person. The list includes answered and expired ones."""
        return parts.start_list(lambda: self._page("GET", f"/v1/runs/{to_segment('run_id', run_id)}/approvals", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_pending_approvals(
        self,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.PendingApproval]:
        """Lists the approvals of all your runs that wait for an answer, the newest first. Each one has its run and its workflow; answerRunApproval answers it. Answered and expired ones, and those of ended runs, are not listed."""
        return parts.start_list(lambda: self._page("GET", "/v1/approvals", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def answer_approval(
        self,
        run_id: str,
        approval_id: str,
        body: shapes.ApprovalAnswer,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunApproval:
        """Approves or rejects; the first answer decides. The owner of the run answers. data replaces the data of the approval before later nodes read it. An answered or expired approval is refused with 409."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/approvals/{to_segment('approval_id', approval_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def answer_tool_calls(
        self,
        run_id: str,
        body: shapes.ToolResults,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ToolResultsAccepted:
        """Gives a run the results of the tools that its caller performs. For the calls in requiredAction of the run. All results are stored or none. The first result of a call counts: the same one again changes nothing, another one is refused with 409, as for a call that has expired and a run that has ended. The run continues when no call waits any more."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/tool-results", body, "none", Options(timeout, max_retries, headers or {})))

    async def create_wait_url(
        self,
        run_id: str,
        node_key: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WaitUrl:
        """Creates a callback URL; its first call completes a waiting node. For a node of the type webhook_wait. The URL has a secret and needs no other credential; a new one replaces the previous. A node that does not wait is refused with 409."""
        return await self._one(build_request("POST", f"/v1/runs/{to_segment('run_id', run_id)}/nodes/{to_segment('node_key', node_key)}/url", None, None, Options(timeout, max_retries, headers or {})))

    def list_webhook_deliveries(
        self,
        run_id: str,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.RunWebhookDelivery]:
        """Lists the webhook deliveries that a run caused, the newest first. Lists the deliveries of run.completed or run.failed of this run to all endpoints of the account. Reading the run takes the scope of its kind, too. A run without subscribed endpoints has none, and neither has one that was canceled or has not ended."""
        return parts.start_list(lambda: self._page("GET", f"/v1/runs/{to_segment('run_id', run_id)}/webhook-deliveries", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))


class AsyncEvaluationRulesMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.EvaluationRulesQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.EvaluationRule]:
        """Lists the caller's rules of evaluation, the newest first. Each rule has its filter, its scorers, what its judges have cost today, and the number of runs that wait."""
        return parts.start_list(lambda: self._page("GET", "/v1/evaluation-rules", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.EvaluationRuleCreate,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.EvaluationRule:
        """Creates a rule by which a share of the runs of a lens or workflow gets scores. It evaluates runs of the caller that are accepted from now on, when they have succeeded; those of experiments and battles are left out. Judges act with the rights of the caller."""
        return await self._one(build_request("POST", "/v1/evaluation-rules", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        rule_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.EvaluationRule:
        """Reads a rule of evaluation. Shows its filter, its scorers, what its judges have cost today, and the number of runs that wait."""
        return await self._one(build_request("GET", f"/v1/evaluation-rules/{to_segment('rule_id', rule_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        rule_id: str,
        body: Optional[shapes.EvaluationRuleUpdate] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.EvaluationRule:
        """Changes a rule of evaluation, or switches it on or off. Runs that wait are evaluated by the new scorers. A credential with fewer rights reduces those of the rule to its own. A suspended rule is refused with 409."""
        return await self._one(build_request("PATCH", f"/v1/evaluation-rules/{to_segment('rule_id', rule_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        rule_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.EvaluationRuleRemoved:
        """Deletes a rule of evaluation; the scores of its runs stay. Runs that wait are not evaluated any more."""
        return await self._one(build_request("DELETE", f"/v1/evaluation-rules/{to_segment('rule_id', rule_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def backfill(
        self,
        rule_id: str,
        body: shapes.BackfillRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Backfill:
        """Lets a rule evaluate runs that were accepted earlier. Filter, share and credits of the rule count for them too. A request looks at 10,000 runs; continueWith says where the next one begins."""
        return await self._one(build_request("POST", f"/v1/evaluation-rules/{to_segment('rule_id', rule_id)}/backfill", body, None, Options(timeout, max_retries, headers or {})))

    async def take_over(
        self,
        rule_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.EvaluationRule:
        """Gives a rule of evaluation the rights of the caller, and ends its suspension. Judges act with the rights of the caller from now on. Runs of the time of the suspension can be evaluated by a backfill."""
        return await self._one(build_request("POST", f"/v1/evaluation-rules/{to_segment('rule_id', rule_id)}/take-over", None, None, Options(timeout, max_retries, headers or {})))


class AsyncReviewQueuesMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ReviewQueue]:
        """Lists the caller's review queues and those that the caller reviews, the newest first. Each has its scale, its progress, and the number of answers that wait for the caller."""
        return parts.start_list(lambda: self._page("GET", "/v1/review-queues", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.ReviewQueueCreate,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ReviewQueue:
        """Creates a queue in which people review answers, blind to version, arm and model. Add runs with addReviewItems. When an answer has its reviews, its run gets a score with the name of the queue."""
        return await self._one(build_request("POST", "/v1/review-queues", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        queue_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ReviewQueue:
        """Reads a review queue of the caller, or one that the caller reviews. Shows what reviewers are asked, the progress, and how many answers wait for the caller."""
        return await self._one(build_request("GET", f"/v1/review-queues/{to_segment('queue_id', queue_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        queue_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ReviewQueueRemoved:
        """Deletes a review queue with its reviews; the scores of the runs stay. Answers that wait are not reviewed any more."""
        return await self._one(build_request("DELETE", f"/v1/review-queues/{to_segment('queue_id', queue_id)}", None, None, Options(timeout, max_retries, headers or {})))

    def list_items(
        self,
        queue_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ReviewItem]:
        """Lists the items of a queue of the caller, the newest first. Each has its run, its state and its score. Reviewers of others do not see this list."""
        return parts.start_list(lambda: self._page("GET", f"/v1/review-queues/{to_segment('queue_id', queue_id)}/items", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def add_items(
        self,
        queue_id: str,
        body: Optional[shapes.ReviewItemsRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ReviewItemsAdded:
        """Puts answers of runs into a queue, by their ids or a filter. The filter finds runs of a lens or workflow, or answers of an experiment, also by a score or where two scorers disagree. Reviewers get them in a random order."""
        return await self._one(build_request("POST", f"/v1/review-queues/{to_segment('queue_id', queue_id)}/items", body, None, Options(timeout, max_retries, headers or {})))

    async def give_review(
        self,
        queue_id: str,
        item_id: str,
        body: Optional[shapes.ReviewRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ReviewGiven:
        """Reviews an answer, once. Give a thumb or a mark, as the scale of the queue says. With the last review the run gets its score. An answer that has its reviews, or one of the caller, is refused with 409."""
        return await self._one(build_request("POST", f"/v1/review-queues/{to_segment('queue_id', queue_id)}/items/{to_segment('item_id', item_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def get_next_review(
        self,
        queue_id: str,
        query: Optional[shapes.NextReviewQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.NextReview:
        """Reads the next answer that waits for a review of the caller. It has its parameters and its text, and neither run, version, arm nor model."""
        return await self._one(build_request("GET", f"/v1/review-queues/{to_segment('queue_id', queue_id)}/next", query, None, Options(timeout, max_retries, headers or {})))

    async def get_agreement(
        self,
        queue_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ReviewAgreement:
        """Says how far people agree with each other, and with a judge. For the owner of the queue. With compareWith it names the answers where the judge fails most."""
        return await self._one(build_request("GET", f"/v1/review-queues/{to_segment('queue_id', queue_id)}/agreement", None, None, Options(timeout, max_retries, headers or {})))

    async def add_cases_from_reviews(
        self,
        queue_id: str,
        body: shapes.CasesFromReviews,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.DatasetChange:
        """Makes cases of all answers that were corrected. A case has the parameters of the run, and the newest corrected answer as expected. Its key is the id of the run."""
        return await self._one(build_request("POST", f"/v1/review-queues/{to_segment('queue_id', queue_id)}/cases", body, None, Options(timeout, max_retries, headers or {})))


class AsyncLabelProposalsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.LabelProposalsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.LabelProposal]:
        """Lists the moves of labels that wait for a second person, the newest first. Those of the account of the caller, and those that the caller may decide."""
        return parts.start_list(lambda: self._page("GET", "/v1/label-proposals", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        proposal_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LabelProposal:
        """Reads a move of a label that waits for a second person, or did. For the account that owns the lens or workflow, and for those who may decide."""
        return await self._one(build_request("GET", f"/v1/label-proposals/{to_segment('proposal_id', proposal_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def decide(
        self,
        proposal_id: str,
        body: shapes.LabelProposalDecision,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LabelProposal:
        """Approves or declines a move of a label. For people who are signed in and may decide, never the one who proposed it; its account can decline it as well. An approved move is made at once, if its gate still holds. 409 when it was decided, has expired, or the label moved otherwise."""
        return await self._one(build_request("POST", f"/v1/label-proposals/{to_segment('proposal_id', proposal_id)}", body, None, Options(timeout, max_retries, headers or {})))


class AsyncRunOperationsMethods(AsyncMethods):
    async def start(
        self,
        body: shapes.RunOperationRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunOperationState:
        """Cancels or retries all runs that match a filter, one after the other. Runs are processed one after the other, the newest first, in the background. An account has at most ten active operations."""
        return await self._one(build_request("POST", "/v1/run-operations", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        operation_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunOperationState:
        """Reads the progress of an operation on runs. matched counts the runs found so far, done and failed those processed. error is the fault of the latest run that could not be changed."""
        return await self._one(build_request("GET", f"/v1/run-operations/{to_segment('operation_id', operation_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def cancel(
        self,
        operation_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunOperationState:
        """Stops an operation on runs; its changes so far remain. Runs that were canceled or retried already stay so. An operation that has ended is refused with 409."""
        return await self._one(build_request("POST", f"/v1/run-operations/{to_segment('operation_id', operation_id)}/cancel", None, None, Options(timeout, max_retries, headers or {})))


class AsyncWaitsMethods(AsyncMethods):
    async def answer(
        self,
        token: str,
        body: Any,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WaitAnswered:
        """Completes a waiting node; the JSON of the call is its output. The secret in the path authenticates the call. It works once; a later call is refused with 409. The body can be any JSON."""
        return await self._one(build_request("POST", f"/v1/waits/{to_segment('token', token)}", body, None, Options(timeout, max_retries, headers or {})))


class AsyncModelsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.ModelQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ModelItem]:
        """Lists the models that runs can use, by provider and key. Each item has the capabilities, the limits and the price of a model. capability=json lists models for structured outputs and judging."""
        return parts.start_list(lambda: self._page("GET", "/v1/models", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))


class AsyncCreditsMethods(AsyncMethods):
    async def get(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.Credits:
        """Reads the balance of the account and its entries. Shows the balance, the credits held by runs that have not ended, and the entries of the ledger, the newest first, in pages."""
        return await self._one(build_request("GET", "/v1/credits", query, None, Options(timeout, max_retries, headers or {})))

    async def forecast(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.CreditForecast:
        """Reads the cost of runs on each of the last 30 days, and how long the balance lasts. The forecast is the available balance divided by the mean cost of a day. Days are those of UTC; holds of runs that have not ended are not part of it."""
        return await self._one(build_request("GET", "/v1/credits/forecast", None, None, Options(timeout, max_retries, headers or {})))

    def list_sponsorships(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.SponsoredLens]:
        """Lists the sponsor pools of the lenses of the caller, with their use. Closed pools are in it, too. Pools of the newest lenses come first."""
        return parts.start_list(lambda: self._page("GET", "/v1/credits/sponsorships", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))


class AsyncByokKeysMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ByokKey]:
        """Lists the caller's keys of providers, the newest first, without their secrets. A BYOK key is a key of a provider that the account brings. The list has labels, providers and the last four characters of each key."""
        return parts.start_list(lambda: self._page("GET", "/v1/byok-keys", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewByokKeyRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ByokKey:
        """Stores a key of a provider, sealed; only run-workers can open it; any write scope is enough. The secret is encrypted with a key of its own before it is stored and never returned. Runs use it with fundingSource user_byok_cloud and the id of the key."""
        return await self._one(build_request("POST", "/v1/byok-keys", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        key_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ByokKey:
        """Reads a key without its secret. Shows the provider, the label, the status of the last test and the last use."""
        return await self._one(build_request("GET", f"/v1/byok-keys/{to_segment('key_id', key_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def revoke(
        self,
        key_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ByokKey:
        """Destroys a key at once; it cannot be opened afterwards. The encrypted secret is deleted. Runs that need the key later fail with KEY_REVOKED."""
        return await self._one(build_request("DELETE", f"/v1/byok-keys/{to_segment('key_id', key_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def test(
        self,
        key_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ByokKey:
        """Tests a key with its provider; answers pending when the provider takes more than a few seconds. Sends one small request to the provider. When the reply is pending, read the key again after a few seconds."""
        return await self._one(build_request("POST", f"/v1/byok-keys/{to_segment('key_id', key_id)}/test", None, None, Options(timeout, max_retries, headers or {})))

    async def rotate(
        self,
        key_id: str,
        body: shapes.RotateByokKeyRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ByokKey:
        """Replaces the secret of a key; runs that start later use it. The id of the key stays, so requests and workflows that name it continue to work."""
        return await self._one(build_request("POST", f"/v1/byok-keys/{to_segment('key_id', key_id)}/rotate", body, None, Options(timeout, max_retries, headers or {})))


class AsyncLocalRunsMethods(AsyncMethods):
    async def claim(
        self,
        body: Optional[shapes.LocalRunClaimRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LocalRunClaimed:
        """Takes the oldest run of the caller that waits for the caller's own machine; waits for one when there is none. For a runner on the machine of the user, with fundingSource user_byok_local. Waits up to waitSeconds when there is no run; the reply has a lease token that the other requests need."""
        return await self._one(build_request("POST", "/v1/local-runs/claim", body, None, Options(timeout, max_retries, headers or {})))

    async def report(
        self,
        run_id: str,
        body: shapes.LocalRunEventsRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LocalRunProgress:
        """Adds to the answer of a claimed run, extends its lease, and returns a request to stop. Send parts of the answer as they arrive, or an empty list as a heartbeat. When cancel is true, stop and finish the run with the outcome canceled. A lost lease is refused with 409."""
        return await self._one(build_request("POST", f"/v1/local-runs/{to_segment('run_id', run_id)}/events", body, None, Options(timeout, max_retries, headers or {})))

    async def finish(
        self,
        run_id: str,
        body: shapes.LocalRunFinishRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.LocalRunFinished:
        """Ends a claimed run; the same request again has no further effect. Send the whole answer or the fault. After a lost lease the request is refused with 409: another runner may have the run."""
        return await self._one(build_request("POST", f"/v1/local-runs/{to_segment('run_id', run_id)}/finish", body, None, Options(timeout, max_retries, headers or {})))


class AsyncWorkflowsMethods(AsyncMethods):
    async def run(
        self,
        workflow_id: str,
        body: shapes.WorkflowRunRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PlatformExecutionAccepted:
        """Runs a workflow; returns the accepted run at once. Answers as soon as the run is stored. The run uses the newest version of now, or that of the default label, unless version names another. Inputs that do not match the schema of the graph are refused; an idempotencyKey makes the request safe to repeat."""
        return await self._one(build_request("POST", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/run", body, "body", Options(timeout, max_retries, headers or {}, idempotency_key)))

    def list(
        self,
        query: Optional[shapes.WorkflowQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WorkflowItem]:
        """Lists public workflows and your own, the newest first; counts up to 10,000. Lists without graphs. visibility and author filter the list; unlisted workflows are found by their id only."""
        return parts.start_list(lambda: self._page("GET", "/v1/workflows", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewWorkflowRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowRecord:
        """Creates a workflow with its version 1. The graph is checked as a whole and can be left out at first. A fault is refused with its path, such as nodes[3].settings.url."""
        return await self._one(build_request("POST", "/v1/workflows", body, None, Options(timeout, max_retries, headers or {})))

    async def import_(
        self,
        body: shapes.WorkflowFile,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowRecord:
        """Imports an exported workflow with its versions, lenses and schedules. Takes the document of an export. Lenses that the importer cannot use are created as private lenses, and schedules are imported as paused. The body can be larger than other bodies."""
        return await self._one(build_request("POST", "/v1/workflows/import", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        workflow_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowRecord:
        """Reads a workflow with its newest graph and its schedules. The reply has the newest version with its graph. Workflows that the caller cannot see return 404."""
        return await self._one(build_request("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        workflow_id: str,
        body: Optional[shapes.WorkflowPatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowRecord:
        """Changes the title, description or visibility of a workflow of your own. Absent members stay as they are. Use saveWorkflowGraph to change the graph."""
        return await self._one(build_request("PATCH", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def delete(
        self,
        workflow_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowDeleted:
        """Deletes a workflow of your own permanently; its schedules end. Hides the workflow with all its versions from every request. Its runs continue and stay in the list of runs."""
        return await self._one(build_request("DELETE", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def save_graph(
        self,
        workflow_id: str,
        body: Optional[shapes.WorkflowGraphRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowVersionRecord:
        """Saves a graph as a new version; an unchanged graph returns the newest version. The body is the graph itself or {graph, changelog}. Versions never change, and runs keep the version with which they were accepted."""
        return await self._one(build_request("PUT", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/graph", body, None, Options(timeout, max_retries, headers or {})))

    async def save_candidate(
        self,
        workflow_id: str,
        body: shapes.WorkflowCandidate,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowCandidateSaved:
        """Saves a graph of your own workflow to run it; callers keep the newest version. Lists of versions do not have it, no label can name it, and no caller gets it who does not name its id as the version. Its number is that of the newest version. The same graph is saved once."""
        return await self._one(build_request("POST", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/candidates", body, None, Options(timeout, max_retries, headers or {})))

    async def set_label(
        self,
        workflow_id: str,
        label: str,
        body: shapes.WorkflowLabelRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowLabelPlace:
        """Points a label of a workflow at a version. Creates the label or moves it. Runs and nodes that name the label use the new version from now on. Tokens other than those of a session get 403 for a protected label."""
        return await self._one(build_request("PUT", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/labels/{to_segment('label', label)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove_label(
        self,
        workflow_id: str,
        label: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowLabelRemoved:
        """Removes a label of a workflow; the version stays. Later requests that name the label are refused; 409 for the default label. Tokens other than those of a session get 403 for a protected label."""
        return await self._one(build_request("DELETE", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/labels/{to_segment('label', label)}", None, None, Options(timeout, max_retries, headers or {})))

    async def return_label(
        self,
        workflow_id: str,
        label: str,
        body: Optional[shapes.LabelReturnRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowLabelPlace:
        """Points a label of a workflow at the version that it had before. Undoes the move that brought the label to its version of now, and the history keeps both. Tokens other than those of a session get 403 for a protected label; 409 when it had no version before."""
        return await self._one(build_request("POST", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/labels/{to_segment('label', label)}/return", body, None, Options(timeout, max_retries, headers or {})))

    def list_label_moves(
        self,
        workflow_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WorkflowLabelMove]:
        """Lists where the labels of a workflow of the caller pointed, the newest move first. Only the owner of the workflow can read it."""
        return parts.start_list(lambda: self._page("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/label-moves", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_versions(
        self,
        workflow_id: str,
        query: Optional[shapes.WorkflowVersionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WorkflowVersionItem]:
        """Lists the versions of a workflow, the newest first. Items have the number, the changelog and the time of each version, without its graph."""
        return parts.start_list(lambda: self._page("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/versions", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get_version(
        self,
        workflow_id: str,
        version_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowVersionRecord:
        """Reads a version of a workflow with its graph. A version is named by its id or its number."""
        return await self._one(build_request("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/versions/{to_segment('version_id', version_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def diff_versions(
        self,
        workflow_id: str,
        query: shapes.WorkflowDiffQuery,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowDiffReply:
        """Compares two versions: nodes, edges, inputs and outputs. from and to are ids or numbers. The reply has nodes, edges, inputs and outputs that were added, removed or changed."""
        return await self._one(build_request("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/diff", query, None, Options(timeout, max_retries, headers or {})))

    async def dry_run(
        self,
        workflow_id: str,
        body: Optional[shapes.WorkflowDryRunRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowDryRunReply:
        """Dry run: the order of nodes, what would be skipped and the maximum cost; nothing is executed. Evaluates conditions with the given inputs as far as possible without running nodes. Use it before runWorkflow to see the cost. With a graph it checks a draft, whose faults are refused as by saveWorkflowGraph."""
        return await self._one(build_request("POST", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/dry-run", body, None, Options(timeout, max_retries, headers or {})))

    async def evaluate_expression(
        self,
        workflow_id: str,
        body: shapes.ExpressionRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ExpressionReply:
        """Evaluates an expression with the inputs and results of one of your runs; nothing is executed. For an editor that shows the value of an expression. nodes has the results that the run has recorded so far; item and index are null. An expression without a value is answered with its fault."""
        return await self._one(build_request("POST", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/expressions/evaluate", body, None, Options(timeout, max_retries, headers or {})))

    async def export(
        self,
        workflow_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WorkflowFile:
        """Exports a workflow with all its versions and the lenses that it needs as one document. The document can be imported at this or at another platform."""
        return await self._one(build_request("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/export", None, None, Options(timeout, max_retries, headers or {})))

    def list_runs(
        self,
        workflow_id: str,
        query: Optional[shapes.WorkflowRunsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.RunItem]:
        """Lists your own runs of a workflow, the newest first. Runs of other accounts are not listed, also for the owner of the workflow. status filters the list."""
        return parts.start_list(lambda: self._page("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/runs", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    def list_schedules(
        self,
        workflow_id: str,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ScheduleRecord]:
        """Lists the schedules of a workflow of your own. Each schedule has its cron pattern, its time zone and its next tick."""
        return parts.start_list(lambda: self._page("GET", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/schedules", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create_schedule(
        self,
        workflow_id: str,
        body: shapes.NewScheduleRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScheduleRecord:
        """Creates a schedule for a workflow of your own. The pattern has five fields: minute, hour, day, month and weekday. overlap and missed decide about ticks that cannot start at once."""
        return await self._one(build_request("POST", f"/v1/workflows/{to_segment('workflow_id', workflow_id)}/schedules", body, None, Options(timeout, max_retries, headers or {})))


class AsyncSchedulesMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.ShortListQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ScheduleItem]:
        """Lists the schedules of all workflows of your own, the next one first. Each schedule has the title of its workflow and its newest tick. Those that are paused are the last."""
        return parts.start_list(lambda: self._page("GET", "/v1/schedules", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        schedule_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScheduleRecord:
        """Reads a schedule of your own. Shows the pattern, the inputs, the settings and the next tick."""
        return await self._one(build_request("GET", f"/v1/schedules/{to_segment('schedule_id', schedule_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        schedule_id: str,
        body: Optional[shapes.SchedulePatch] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScheduleRecord:
        """Changes, pauses or resumes a schedule of your own. Absent members stay as they are. enabled: false pauses the schedule; resuming does not start missed ticks."""
        return await self._one(build_request("PATCH", f"/v1/schedules/{to_segment('schedule_id', schedule_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def delete(
        self,
        schedule_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScheduleDeleted:
        """Deletes a schedule of your own with its history. Runs that it has started continue and stay."""
        return await self._one(build_request("DELETE", f"/v1/schedules/{to_segment('schedule_id', schedule_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def take_over(
        self,
        schedule_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.ScheduleRecord:
        """Takes a schedule over: its runs get the rights of the caller. Ends a suspension, after which the schedule runs again. Later runs count against the credit limit of the credential of the caller."""
        return await self._one(build_request("POST", f"/v1/schedules/{to_segment('schedule_id', schedule_id)}/take-over", None, None, Options(timeout, max_retries, headers or {})))

    async def preview(
        self,
        schedule_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.SchedulePreview:
        """Lists the next 20 ticks of a schedule of your own. Computes the ticks in the time zone of the schedule, with changes to and from daylight saving time."""
        return await self._one(build_request("GET", f"/v1/schedules/{to_segment('schedule_id', schedule_id)}/preview", None, None, Options(timeout, max_retries, headers or {})))

    def list_ticks(
        self,
        schedule_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.ScheduleTickItem]:
        """Lists past ticks of a schedule of your own and their outcomes, the newest first. Each tick has its outcome: the run that it started, or why it started none."""
        return parts.start_list(lambda: self._page("GET", f"/v1/schedules/{to_segment('schedule_id', schedule_id)}/ticks", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))


class AsyncWebhookEndpointsMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WebhookEndpointReply]:
        """Lists the webhook endpoints of the account, the newest first. Shows addresses, events and states. Secrets are not shown."""
        return parts.start_list(lambda: self._page("GET", "/v1/webhook-endpoints", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewWebhookEndpointRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointWithSecret:
        """Registers a webhook endpoint; its secret is shown only now. The address must be public and use https. Deliveries are signed with the secret of the reply; store it, since no other request shows it."""
        return await self._one(build_request("POST", "/v1/webhook-endpoints", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointReply:
        """Reads a webhook endpoint. Shows whether deliveries are enabled, paused after failures or disabled, with the reason."""
        return await self._one(build_request("GET", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        endpoint_id: str,
        body: Optional[shapes.WebhookEndpointChange] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointReply:
        """Changes the address, the events or the description of a webhook endpoint. Absent members stay as they are. Deliveries that wait are sent to the new address, which starts without failures."""
        return await self._one(build_request("PATCH", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def delete(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointReply:
        """Removes a webhook endpoint with its deliveries. Deliveries that wait are not sent. The stored events of the account stay."""
        return await self._one(build_request("DELETE", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def rotate_secret(
        self,
        endpoint_id: str,
        body: Optional[shapes.RotateWebhookSecretRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointWithSecret:
        """Gives a webhook endpoint a new secret, shown only now; the old one also signs for a while. During overlapSeconds the header webhook-signature has the signatures of both secrets. The other two signatures use the new secret at once."""
        return await self._one(build_request("POST", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/rotate", body, None, Options(timeout, max_retries, headers or {})))

    async def enable(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointReply:
        """Enables a webhook endpoint; canceled deliveries can be replayed. Deliveries begin with later events. Use replayWebhookEvents for events that were missed."""
        return await self._one(build_request("POST", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/enable", None, None, Options(timeout, max_retries, headers or {})))

    async def take_over(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointWithSecret:
        """Takes a webhook endpoint over: it counts as created by the caller, and its secret is replaced. Ends a suspension and enables the endpoint. The old secret signs nothing any more, and the new one is shown only now."""
        return await self._one(build_request("POST", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/take-over", None, None, Options(timeout, max_retries, headers or {})))

    async def disable(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookEndpointReply:
        """Disables a webhook endpoint; its waiting deliveries are canceled. Later events are not delivered until the endpoint is enabled again. A repeated request has no further effect."""
        return await self._one(build_request("POST", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/disable", None, None, Options(timeout, max_retries, headers or {})))

    async def test(
        self,
        endpoint_id: str,
        body: Optional[shapes.TestWebhookRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookTestReply:
        """Sends a test event through the normal delivery. Sends webhook.test, or with event an event of that type with example data. A disabled endpoint is refused with 409."""
        return await self._one(build_request("POST", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/test", body, None, Options(timeout, max_retries, headers or {})))

    def list_deliveries(
        self,
        endpoint_id: str,
        query: Optional[shapes.WebhookDeliveryQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WebhookDeliveryItem]:
        """Lists the deliveries to a webhook endpoint, the newest first. state, event, from and to filter the list. Deliveries are stored for 30 days unless the operator chooses otherwise."""
        return parts.start_list(lambda: self._page("GET", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/deliveries", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def get_delivery(
        self,
        endpoint_id: str,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookDeliveryReply:
        """Reads a delivery with its request and all its attempts. Each attempt has its time, status, duration, fault and the first 4 KB of the response."""
        return await self._one(build_request("GET", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/deliveries/{to_segment('delivery_id', delivery_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def redeliver(
        self,
        endpoint_id: str,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookDeliveryItem:
        """Sends a delivery again, with the same event id and bytes. A receiver that skips known event ids skips it. A delivery that waits is sent at once. One in progress is refused with 409, and so is a disabled endpoint."""
        return await self._one(build_request("POST", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/deliveries/{to_segment('delivery_id', delivery_id)}/redeliver", None, None, Options(timeout, max_retries, headers or {})))

    def list_replays(
        self,
        endpoint_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WebhookReplayReply]:
        """Lists the replays to a webhook endpoint, the newest first. Shows what each replay sends and how far it is."""
        return parts.start_list(lambda: self._page("GET", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/replays", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def replay_events(
        self,
        endpoint_id: str,
        body: shapes.WebhookReplayRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookReplayReply:
        """Replays the events of a time range, with their original ids. Runs in the background. what: undelivered sends events that the endpoint never accepted, all sends all. An endpoint has one replay at a time; a second one is refused with 409."""
        return await self._one(build_request("POST", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/replays", body, None, Options(timeout, max_retries, headers or {})))

    async def get_replay(
        self,
        endpoint_id: str,
        replay_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookReplayReply:
        """Reads the progress of a replay. Shows the number of events that were found and sent so far."""
        return await self._one(build_request("GET", f"/v1/webhook-endpoints/{to_segment('endpoint_id', endpoint_id)}/replays/{to_segment('replay_id', replay_id)}", None, None, Options(timeout, max_retries, headers or {})))

    def list_events(
        self,
        query: Optional[shapes.WebhookEventQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.WebhookEventReply]:
        """Lists the stored events of the account, the newest first. An event is stored when an endpoint of the account was subscribed to its type, or a program listened, as it occurred. event, from and to filter the list."""
        return parts.start_list(lambda: self._page("GET", "/v1/webhook-events", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def listen_for_events(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.WebhookListening:
        """Stores the events of the account for two minutes, also without an endpoint. For a program that reads GET /v1/webhook-events during development. It repeats the call every minute."""
        return await self._one(build_request("POST", "/v1/webhook-events/listen", None, None, Options(timeout, max_retries, headers or {})))


class AsyncIncomingWebhooksMethods(AsyncMethods):
    def list(
        self,
        query: Optional[shapes.IncomingWebhookQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.IncomingWebhook]:
        """Lists incoming webhooks, the newest first. An incoming webhook is a URL that starts a workflow when it is called. workflowId filters the list. Secrets are not shown."""
        return parts.start_list(lambda: self._page("GET", "/v1/incoming-webhooks", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def create(
        self,
        body: shapes.NewIncomingWebhookRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.IncomingWebhookWithSecret:
        """Creates an incoming webhook, whose calls start a workflow; its secret is shown only now. The workflow is one of the caller, or one that the caller can see. The reply has the path of the webhook and the secret with which calls are authenticated."""
        return await self._one(build_request("POST", "/v1/incoming-webhooks", body, None, Options(timeout, max_retries, headers or {})))

    async def get(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.IncomingWebhook:
        """Reads an incoming webhook. Shows the path, the workflow and whether calls are accepted."""
        return await self._one(build_request("GET", f"/v1/incoming-webhooks/{to_segment('webhook_id', webhook_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def update(
        self,
        webhook_id: str,
        body: Optional[shapes.UpdateIncomingWebhookRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.IncomingWebhook:
        """Changes the name or the workflow of an incoming webhook, enables or disables it. Absent members stay as they are. With enabled: false, calls get the same reply as for an unknown webhook."""
        return await self._one(build_request("PATCH", f"/v1/incoming-webhooks/{to_segment('webhook_id', webhook_id)}", body, None, Options(timeout, max_retries, headers or {})))

    async def remove(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.IncomingWebhook:
        """Removes an incoming webhook. Later calls get 401. Runs that it has started continue."""
        return await self._one(build_request("DELETE", f"/v1/incoming-webhooks/{to_segment('webhook_id', webhook_id)}", None, None, Options(timeout, max_retries, headers or {})))

    async def rotate(
        self,
        webhook_id: str,
        body: Optional[shapes.RotateIncomingWebhookRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.IncomingWebhookWithSecret:
        """Gives an incoming webhook a new secret; the old one stays valid for the requested time. Both secrets are valid for overlapSeconds; 0, the default, ends the old one at once."""
        return await self._one(build_request("POST", f"/v1/incoming-webhooks/{to_segment('webhook_id', webhook_id)}/rotate", body, None, Options(timeout, max_retries, headers or {})))

    async def take_over(
        self,
        webhook_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.IncomingWebhookWithSecret:
        """Takes an incoming webhook over: its runs get the rights of the caller, and its secret is replaced. Ends a suspension. The old secret is invalid at once, and the new one is shown only now. Later runs count against the credit limit of the credential of the caller."""
        return await self._one(build_request("POST", f"/v1/incoming-webhooks/{to_segment('webhook_id', webhook_id)}/take-over", None, None, Options(timeout, max_retries, headers or {})))

    def list_calls(
        self,
        webhook_id: str,
        query: Optional[shapes.PageQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> parts.ListCall[shapes.IncomingWebhookCall]:
        """Lists calls of an incoming webhook, accepted and refused, the newest first. Each call has its status, the reason of a refusal, the kind of authentication, the run, and the body without its secrets."""
        return parts.start_list(lambda: self._page("GET", f"/v1/incoming-webhooks/{to_segment('webhook_id', webhook_id)}/calls", cast("Optional[Mapping[str, Any]]", query), Options(timeout, max_retries, headers or {})))

    async def call(
        self,
        webhook_id: str,
        body: shapes.CalledWebhookBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PlatformExecutionAccepted:
        """Starts the workflow of an incoming webhook. Needs the secret of the webhook, a signature with it, or a token of its owner. params that do not match the inputs of the workflow are refused with 422. A delivery id makes the call safe to repeat."""
        return await self._one(build_request("POST", f"/v1/webhooks/{to_segment('webhook_id', webhook_id)}", body, "header", Options(timeout, max_retries, headers or {}, idempotency_key)))


class AsyncOperatorMethods(AsyncMethods):
    async def get_status(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.OperatorStatus:
        """Reads the state of the installation: stores, queues, workers, runs and invariants. Everything is read at the time of the call; nothing is cached. Only for people whom "lensforge-operate set-operator" has appointed; others get 403."""
        return await self._one(build_request("GET", "/v1/operator/status", None, None, Options(timeout, max_retries, headers or {})))

    async def get_run_statistics(
        self,
        query: shapes.StatisticsRange,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunStatistics:
        """Counts the runs of all accounts by status over time. The same counts as those of getRunStatistics, over all accounts. Only for people whom "lensforge-operate set-operator" has appointed; others get 403."""
        return await self._one(build_request("GET", "/v1/operator/run-statistics", query, None, Options(timeout, max_retries, headers or {})))

    async def list_runs(
        self,
        query: shapes.OperatorRunsQuery,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.OperatorRuns:
        """Lists runs of all accounts that may need an operator. The runs have no contents: an operator cannot read those of other accounts. Only for people whom "lensforge-operate set-operator" has appointed; others get 403."""
        return await self._one(build_request("GET", "/v1/operator/runs", query, None, Options(timeout, max_retries, headers or {})))

    async def set_queue(
        self,
        queue: str,
        body: shapes.QueueSwitchRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.QueueStatus:
        """Pauses a queue for all workers, or lets them go on. Workers finish the jobs that they have and take no more: the way to drain them. Requests are still accepted, and their jobs wait. Only for people whom "lensforge-operate set-operator" has appointed; others get 403."""
        return await self._one(build_request("PATCH", f"/v1/operator/queues/{to_segment('queue', queue)}", body, None, Options(timeout, max_retries, headers or {})))

    async def requeue_runs(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.RunsRequeued:
        """Gives every queued run a new job. For a Redis that lost jobs: workers ignore old jobs that are still there, so that no run executes twice. Only for people whom "lensforge-operate set-operator" has appointed; others get 403."""
        return await self._one(build_request("POST", "/v1/operator/requeue", None, None, Options(timeout, max_retries, headers or {})))

    async def count_failed_runs(
        self,
        query: shapes.FailedRunsFilter,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.FailedRuns:
        """Counts failed runs of all accounts that can be retried, by error and model. Runs that failed or timed out and have no retry. It leaves out nodes, whose runs are retried, runs that callers execute or report themselves, and closed accounts. Only for people whom "lensforge-operate set-operator" has appointed; others get 403."""
        return await self._one(build_request("GET", "/v1/operator/failed-runs", query, None, Options(timeout, max_retries, headers or {})))

    async def retry_failed_runs(
        self,
        body: shapes.FailedRunsRetryRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.FailedRunsRetried:
        """Retries failed runs of all accounts, the newest first, at most 100 in a request. Each retry is a run of the account of the failed run and is paid as if the account had retried it; limits of the account apply. Workflows keep the results of nodes that succeeded. A repeated request retries no run again. The audit logs of the operator and of each account say it. Only for people whom "lensforge-operate set-operator" has appointed; others get 403."""
        return await self._one(build_request("POST", "/v1/operator/failed-runs/retry", body, None, Options(timeout, max_retries, headers or {})))


class AsyncPartnersMethods(AsyncMethods):
    async def provision(
        self,
        partner_name: str,
        body: Optional[shapes.PartnerRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PartnerReply:
        """Opens an account with the partner; repeated calls return the same account. The body is an object for the partner. Only session and developer tokens of people can call it. An unknown partner returns 404."""
        return await self._one(build_request("POST", f"/v1/partners/{to_segment('partner_name', partner_name)}/provision", body, None, Options(timeout, max_retries, headers or {})))

    async def get_balance(
        self,
        partner_name: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PartnerReply:
        """Reads the balance of the account with the partner. Shows the balance as the partner reports it. 404 before the account was provisioned. Only session and developer tokens of people can call it."""
        return await self._one(build_request("GET", f"/v1/partners/{to_segment('partner_name', partner_name)}/balance", None, None, Options(timeout, max_retries, headers or {})))

    async def refresh_token(
        self,
        partner_name: str,
        body: Optional[shapes.PartnerRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PartnerReply:
        """Gets new tokens from the partner; the previous ones stop working. The new tokens are stored encrypted. An unknown partner returns 400. A partner that does not answer causes 500 with the code partner_error."""
        return await self._one(build_request("POST", f"/v1/partners/{to_segment('partner_name', partner_name)}/refresh-token", body, None, Options(timeout, max_retries, headers or {})))

    async def send_claim(
        self,
        partner_name: str,
        body: Optional[shapes.PartnerRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> shapes.PartnerReply:
        """Sends a claim to the partner. The body is passed to the partner; its idempotencyKey makes the request safe to repeat. An unknown partner returns 400. A partner that does not answer causes 500 with the code partner_error."""
        return await self._one(build_request("POST", f"/v1/partners/{to_segment('partner_name', partner_name)}/send-claim", body, None, Options(timeout, max_retries, headers or {})))


class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
        self.service = AsyncServiceMethods(transport)
        self.me = AsyncMeMethods(transport)
        self.tokens = AsyncTokensMethods(transport)
        self.connectors = AsyncConnectorsMethods(transport)
        self.battles = AsyncBattlesMethods(transport)
        self.leaderboards = AsyncLeaderboardsMethods(transport)
        self.communities = AsyncCommunitiesMethods(transport)
        self.agents = AsyncAgentsMethods(transport)
        self.mcp_servers = AsyncMcpServersMethods(transport)
        self.threads = AsyncThreadsMethods(transport)
        self.audit = AsyncAuditMethods(transport)
        self.lenses = AsyncLensesMethods(transport)
        self.datasets = AsyncDatasetsMethods(transport)
        self.experiments = AsyncExperimentsMethods(transport)
        self.scorers = AsyncScorersMethods(transport)
        self.recordings = AsyncRecordingsMethods(transport)
        self.runs = AsyncRunsMethods(transport)
        self.evaluation_rules = AsyncEvaluationRulesMethods(transport)
        self.review_queues = AsyncReviewQueuesMethods(transport)
        self.label_proposals = AsyncLabelProposalsMethods(transport)
        self.run_operations = AsyncRunOperationsMethods(transport)
        self.waits = AsyncWaitsMethods(transport)
        self.models = AsyncModelsMethods(transport)
        self.credits = AsyncCreditsMethods(transport)
        self.byok_keys = AsyncByokKeysMethods(transport)
        self.local_runs = AsyncLocalRunsMethods(transport)
        self.workflows = AsyncWorkflowsMethods(transport)
        self.schedules = AsyncSchedulesMethods(transport)
        self.webhook_endpoints = AsyncWebhookEndpointsMethods(transport)
        self.incoming_webhooks = AsyncIncomingWebhooksMethods(transport)
        self.operator = AsyncOperatorMethods(transport)
        self.partners = AsyncPartnersMethods(transport)
