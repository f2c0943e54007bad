//! What pages show, and to whom.

use super::kind::Flaw::{
    AdminLeadsToANeighbour, AdminMenuWithoutCells, AdminOnTheLegacyCellOnly, AdminPageWithoutItsCell, ClosedToOtherOrganizations,
    DashboardForEverybody, DashboardLeadsToTheOverview, DashboardListsPublicGroups, DashboardListsTheLegacyCell, DashboardScopedInPlace,
    DashboardWithoutNamespaces, LegacyUsersNotTold, MembersNotToldElsewhere, NoHintOnTheDashboard, NoScopedDashboard, PageNamesItsCell,
    PrivateIs403, RootLeadsMembersToTheGlobalView, RootLeadsToDashboards, WrongOrganizationBanner,
};
use super::{BOTH, BUFFERING, CellFlaw, LEARNING, flaw};

pub(super) const FLAWS: &[CellFlaw] = &[
    flaw(
        RootLeadsMembersToTheGlobalView,
        "root-leads-members-to-the-global-view",
        "GL-01",
        BOTH,
        "`/` sends everybody to `/dashboard`, members of organizations too",
    ),
    flaw(RootLeadsToDashboards, "root-leads-to-dashboards", "GL-04", BOTH, "`/` sends legacy users to `/dashboards`"),
    flaw(DashboardForEverybody, "dashboard-for-everybody", "OR-07", BOTH, "the global dashboard is served to members of organizations"),
    flaw(
        DashboardScopedInPlace,
        "dashboard-scoped-in-place",
        "LN-15",
        LEARNING,
        "`/dashboard` shows members their organization, so that one path has as many contents as there are cells",
    ),
    flaw(
        DashboardLeadsToTheOverview,
        "dashboard-leads-to-the-overview",
        "GL-03",
        BOTH,
        "`/dashboard` sends members to their organization's overview instead of its dashboard",
    ),
    flaw(DashboardWithoutNamespaces, "dashboard-without-namespaces", "OR-03", BOTH, "the global dashboard lists nothing"),
    flaw(NoScopedDashboard, "no-scoped-dashboard", "GL-02", BOTH, "organizations have no dashboard of their own: it is not found"),
    flaw(
        WrongOrganizationBanner,
        "wrong-organization-banner",
        "OR-09",
        BOTH,
        "the dashboard of an organization says that it shows GitLab.com Public",
    ),
    flaw(
        NoHintOnTheDashboard,
        "no-hint-on-the-dashboard",
        "OR-13",
        BOTH,
        "the dashboard does not say that it is limited to the default organization",
    ),
    flaw(
        DashboardListsTheLegacyCell,
        "dashboard-lists-the-legacy-cell",
        "OR-15",
        BOTH,
        "the dashboard of an organization also lists the public groups of Cell US0",
    ),
    flaw(
        DashboardListsPublicGroups,
        "dashboard-lists-public-groups",
        "NS-04",
        BOTH,
        "the dashboard of an organization also lists its user's own groups of GitLab.com Public",
    ),
    flaw(
        ClosedToOtherOrganizations,
        "closed-to-other-organizations",
        "OR-10",
        BOTH,
        "projects are not found by members of other organizations, though they are public",
    ),
    flaw(
        MembersNotToldElsewhere,
        "members-not-told-elsewhere",
        "OR-11",
        BOTH,
        "a page outside of the default organization does not say that its counters are incomplete",
    ),
    flaw(LegacyUsersNotTold, "legacy-users-not-told", "OR-14", BOTH, "legacy users on another cell are not told that data may be missing"),
    flaw(PrivateIs403, "private-is-403", "PR-03", BOTH, "a private place says 403, and so that it exists"),
    flaw(PageNamesItsCell, "page-names-its-cell", "RT-12", BOTH, "the page of a project says which cell served it"),
    flaw(
        AdminLeadsToANeighbour,
        "admin-leads-to-a-neighbour",
        "AD-01",
        BUFFERING,
        "`/admin` turns the operator to the area of another cell than the one that was asked",
    ),
    flaw(AdminMenuWithoutCells, "admin-menu-without-cells", "AD-03", BOTH, "the Admin Area offers no other cell"),
    flaw(AdminPageWithoutItsCell, "admin-page-without-its-cell", "AD-06", BOTH, "the Admin Area does not say which cell made the page"),
    flaw(AdminOnTheLegacyCellOnly, "admin-on-the-legacy-cell-only", "AD-07", BOTH, "only Cell US0 has an Admin Area"),
];
