//! Organizations, their namespaces, and default organizations.

use crate::mutant::mutants;

mutants! {
    DefaultOrganizationPerCell: Both, "OR-16",
        "the default organization is kept by the cell on which it was chosen";
    AccountsGetAnOrganization: Both, "OR-02",
        "accounts that never chose a default organization get the first one that exists";
    PublicOrganizationNeedsARecord: Both, "OR-05",
        "GitLab.com Public is looked up like any organization, and is not found";
    NamespacesGetAnOrganization: Both, "OR-06",
        "a namespace without an organization is shown as an organization";
    GroupFormDoesNotAsk: Both, "NS-01",
        "the form for a new group does not ask for its organization";
    NewGroupsOnTheLegacyCell: Both, "NS-02",
        "new groups of an organization are created on Cell US0, wherever the organization lives";
    NoChoiceMeansHome: Both, "NS-03",
        "a new group without an organization belongs to its creator's default organization";
    SpreadsAnOrganization: Both, "RT-11",
        "new groups of an organization are placed on the cell beside the organization's";
    NewRouteNamesTheLegacyCell: Both, "NS-05",
        "the row of a new group in the routes table always names Cell US0";
    NewGroupWithoutARoute: Both, "DB-02", "a new group has no row in the shared routes table";
}
