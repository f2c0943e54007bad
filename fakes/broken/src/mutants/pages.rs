//! What pages show, and to whom.

use crate::mutant::mutants;

mutants! {
    RootLeadsMembersToTheGlobalView: Both, "GL-01",
        "`/` redirects every user to `/dashboard`, members of organizations too";
    RootLeadsToDashboards: Both, "GL-04", "`/` redirects legacy users to `/dashboards`";
    DashboardForEverybody: Both, "OR-07",
        "the global dashboard is served to members of organizations";
    OnlyTheDashboardIsGlobal: Both, "OR-07",
        "global pages other than `/dashboard` are served to members of organizations";
    DashboardScopedInPlace: Learning, "LN-15",
        "`/dashboard` shows members their organization, so that its content depends on the cell";
    DashboardLeadsToTheOverview: Both, "GL-03",
        "`/dashboard` redirects members to their organization's overview instead of its dashboard";
    DashboardWithoutNamespaces: Both, "OR-03", "the global dashboard lists nothing";
    GlobalViewWithoutOrganizations: Both, "OR-03",
        "global pages leave out the namespaces of organizations, also of those on Cell US0";
    NoScopedDashboard: Both, "GL-02", "the dashboards of organizations are not found";
    WrongOrganizationBanner: Both, "OR-09",
        "the dashboard of an organization claims to show GitLab.com Public";
    OnlyDashboardsNameTheirOrganization: Both, "OR-09",
        "pages other than dashboards do not name an organization";
    NoHintOnTheDashboard: Both, "OR-13",
        "the dashboard does not say that it is limited to the default organization";
    DashboardListsTheLegacyCell: Both, "OR-15",
        "the dashboard of an organization also lists the public groups of Cell US0";
    DashboardListsPublicGroups: Both, "NS-04",
        "the dashboard of an organization also lists its user's own groups of GitLab.com Public";
    ClosedToOtherOrganizations: Both, "OR-10",
        "projects are not found by members of other organizations, though they are public";
    MembersNotToldElsewhere: Both, "OR-11",
        "a page outside of the default organization does not say that its counters are incomplete";
    LegacyUsersNotTold: Both, "OR-14",
        "legacy users on another cell are not told that data may be missing";
    PrivateIs403: Both, "PR-03", "a private page responds with 403, which reveals that it exists";
    PageNamesItsCell: Both, "RT-12", "the page of a project names the cell that serves it";
    AdminLeadsToANeighbour: Buffering, "AD-01",
        "`/admin` redirects the operator to the area of another cell";
    AdminMenuWithoutCells: Both, "AD-03", "the Admin Area does not list the other cells";
    AdminMenuStaysPut: Both, "AD-03",
        "each link to a cell in the Admin Area leads to the page that is already shown";
    AdminPageWithoutItsCell: Both, "AD-06",
        "the Admin Area does not name the cell that serves the page";
    AdminPageAtItsEntry: Learning, "AD-06",
        "`/admin` shows the area of Cell US0 itself, at a URL that names no cell";
    AdminOnTheLegacyCellOnly: Both, "AD-07", "only Cell US0 has an Admin Area";
}
