//! Mutants of organizations, their namespaces, and default organizations.

use super::mutant::{BOTH, CellMutant, mutant};
use super::mutation::Mutation::{
    AccountsGetAnOrganization, DefaultOrganizationPerCell, GroupFormDoesNotAsk,
    NamespacesGetAnOrganization, NewGroupWithoutARoute, NewGroupsOnTheLegacyCell,
    NewRouteNamesTheLegacyCell, NoChoiceMeansHome, PublicOrganizationNeedsARecord,
    SpreadsAnOrganization,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        DefaultOrganizationPerCell,
        "default-organization-per-cell",
        "OR-16",
        BOTH,
        "the default organization is kept by the cell on which it was chosen",
    ),
    mutant(
        AccountsGetAnOrganization,
        "accounts-get-an-organization",
        "OR-02",
        BOTH,
        "accounts that never chose a default organization get the first one that exists",
    ),
    mutant(
        PublicOrganizationNeedsARecord,
        "public-organization-needs-a-record",
        "OR-05",
        BOTH,
        "GitLab.com Public is looked up like any organization, and is not found",
    ),
    mutant(
        NamespacesGetAnOrganization,
        "namespaces-get-an-organization",
        "OR-06",
        BOTH,
        "a namespace without an organization is shown as an organization",
    ),
    mutant(
        GroupFormDoesNotAsk,
        "group-form-does-not-ask",
        "NS-01",
        BOTH,
        "the form for a new group does not ask for its organization",
    ),
    mutant(
        NewGroupsOnTheLegacyCell,
        "new-groups-on-the-legacy-cell",
        "NS-02",
        BOTH,
        "new groups of an organization are created on Cell US0, wherever the organization lives",
    ),
    mutant(
        NoChoiceMeansHome,
        "no-choice-means-home",
        "NS-03",
        BOTH,
        "a new group without an organization belongs to its creator's default organization",
    ),
    mutant(
        SpreadsAnOrganization,
        "spreads-an-organization",
        "RT-11",
        BOTH,
        "new groups of an organization are placed on the cell beside the organization's",
    ),
    mutant(
        NewRouteNamesTheLegacyCell,
        "new-route-names-the-legacy-cell",
        "NS-05",
        BOTH,
        "the row of a new group in the routes table always names Cell US0",
    ),
    mutant(
        NewGroupWithoutARoute,
        "new-group-without-a-route",
        "DB-02",
        BOTH,
        "a new group has no row in the shared routes table",
    ),
];
