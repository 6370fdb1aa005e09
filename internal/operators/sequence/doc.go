// Package sequence predicts what is on a cluster after each of several changes: which
// DataImportCrons, DataSources, DataVolumes, PersistentVolumeClaims and VolumeSnapshots HCO,
// SSP and CDI make, change, leave behind and delete.
//
// It runs the rules of SSP's data-sources operand and of CDI's reconcilers on a state, in
// turn, until nothing changes. The tests of test/answers compare the states with
// those that the operators' own code leaves. Comments name the files: "ssp" and "cdi" mean
// kubevirt/ssp-operator and kubevirt/containerized-data-importer.
//
// The package is pure: no network, no files, no clock, no environment.
package sequence
